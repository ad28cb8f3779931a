// What scripts bring packed, and pages hold packed: gzip in base64, since a browser loads nothing but scripts from a folder.

namespace packing {
  /** unpacked is the text of gzip in base64. */
  export async function unpacked(packed: string): Promise<string> {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }
}
