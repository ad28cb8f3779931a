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

  interface Drop {
    files: { name: string; bytes: Uint8Array }[];
    units: Uint8Array | null;
    bundle: boolean;
    progress(files: number, bytes: number, done: number, total: number): void;
    done(error: string, made: Uint8Array<ArrayBuffer>): void;
  }

  /** A program that waits for files; it reads some once. Ended is settled when it ends, by itself or for want of memory. */
  interface Program {
    read(drop: Drop): void;
    ended: Promise<void>;
  }

  let loading: Promise<[WebAssembly.Module, Uint8Array, Uint8Array | null]> | undefined;
  let waiting: Promise<Program> | undefined;

  /** started is a program that knows the names of the catalog: a fifth of what reading a file takes, and done before there is one. */
  function started(module: WebAssembly.Module, names: Uint8Array, most: number): Promise<Program> {
    return new Promise((ok, no) => {
      const go = new worker.Go();
      go.exit = () => {};
      let ended: Promise<void>;
      (self as any).inferdexReader = {
        names,
        limits: { member: most, unpacked: most },
        // Called while the program starts, so before there is an end to wait for.
        ready: (read: Program["read"]) => queueMicrotask(() => ok({ read, ended })),
      };
      WebAssembly.instantiate(module, go.importObject).then((i) => {
        ended = go.run(i).catch(() => {});
        ended.then(no);
      }, no);
    });
  }

  async function run(job: Job): Promise<void> {
    let module: WebAssembly.Module, names: Uint8Array, units: Uint8Array | null;
    try {
      [module, names, units] = await (loading ??= Promise.all([
        compiled(job.module),
        loaded(job.names, false),
        job.units ? loaded(job.units, false) : null,
      ]));
    } catch (e) {
      loading = undefined; // the next choice of files tries again
      return tell({ failed: "load", why: String(e) });
    }
    const files: Drop["files"] = [];
    try {
      for (const { name, file } of job.files) files.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
    } catch (e) {
      return tell({ failed: "file", why: String(e) });
    }
    let program: Program;
    try {
      program = await (waiting ?? started(module, names, job.most));
    } catch (e) {
      return tell({ failed: "load", why: String(e ?? "the reader ended before it read anything") });
    } finally {
      waiting = undefined;
    }
    let said = false;
    program.read({
      files,
      units,
      bundle: job.bundle,
      progress: (files, bytes, done, total) => tell({ reading: files, bytes, done, total }),
      done(error, made) {
        said = true;
        if (error) tell({ failed: "report", why: error });
        else worker.postMessage(job.bundle ? { bundle: made } : { report: made }, [made.buffer]);
      },
    });
    await program.ended;
    if (!said) return tell({ failed: "memory" });
    waiting = started(module, names, job.most);
    waiting.catch(() => (waiting = undefined)); // it is tried again with the next files
  }

  worker.onmessage = (e: MessageEvent<Job>) => void run(e.data);
}
