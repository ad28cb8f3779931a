// The worker of the page that reads files: loads the readers once, then runs them for each choice of files. It is a
// script of its own, made of this file, behind the script of Go that starts its programs.

namespace reader {
  interface Job {
    module: string;
    names: string;
    /** Of the numbers of a catalog, where runs are compared with it. */
    units?: string;
    files: { name: string; file: File }[];
    most: number;
    /** The files are packed for a pull request, and not told of. */
    bundle: boolean;
  }

  // Go is made by the script that lies before this one. What it prints is for developers of Go programs.
  interface Started {
    importObject: WebAssembly.Imports;
    run(instance: WebAssembly.Instance): Promise<void>;
    exit(code: number): void;
  }
  const worker = self as unknown as Worker & { Go: new () => Started; fs: { writeSync(fd: number, b: Uint8Array): number } };
  worker.fs.writeSync = (_, b) => b.length;

  const tell = (message: object) => worker.postMessage(message);

  /** loaded is a file of the site; progress is told of it where its size is known. */
  async function loaded(address: string, progress: boolean): Promise<Uint8Array<ArrayBuffer>> {
    const answer = await fetch(address);
    if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${answer.statusText}`);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const r = answer.body.getReader(); ; ) {
      const { done, value } = await r.read();
      if (done) break;
      parts.push(value);
      bytes += value.length;
      if (progress) tell({ loading: bytes });
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /** compiled is the module; some servers unpack it on the way. */
  async function compiled(address: string): Promise<WebAssembly.Module> {
    const data = await loaded(address, true);
    if (data[0] !== 0x1f) return WebAssembly.compile(data);
    const plain = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(plain).arrayBuffer());
  }

  let ready: Promise<[WebAssembly.Module, Uint8Array, Uint8Array | null]> | undefined;

  async function run(job: Job): Promise<void> {
    let module: WebAssembly.Module, names: Uint8Array, units: Uint8Array | null;
    try {
      [module, names, units] = await (ready ??= Promise.all([
        compiled(job.module),
        loaded(job.names, false),
        job.units ? loaded(job.units, false) : null,
      ]));
    } catch (e) {
      ready = undefined; // the next choice of files tries again
      return tell({ failed: "load", why: String(e) });
    }
    const files: { name: string; bytes: Uint8Array }[] = [];
    try {
      for (const { name, file } of job.files) files.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
    } catch (e) {
      return tell({ failed: "file", why: String(e) });
    }
    let said = false;
    (self as any).inferdexReader = {
      files,
      names,
      units,
      limits: { member: job.most, unpacked: job.most },
      bundle: job.bundle,
      progress: (files: number, bytes: number, done: number, total: number) => tell({ reading: files, bytes, done, total }),
      done(report: string, error: string, bundle?: Uint8Array) {
        said = true;
        tell(error ? { failed: "report", why: error } : bundle ? { bundle } : { report: JSON.parse(report) });
      },
    };
    const go = new worker.Go();
    go.exit = () => {};
    // A program without memory ends, by itself or by what the browser throws.
    await WebAssembly.instantiate(module, go.importObject).then((i) => go.run(i)).catch(() => {});
    if (!said) tell({ failed: "memory" });
  }

  worker.onmessage = (e: MessageEvent<Job>) => void run(e.data);
}
