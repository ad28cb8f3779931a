// Runs the reader on cases, each in an instance of its own: node run.js DIR MEMBER UNPACKED. DIR has what build wrote
// and cases.json; for each case a report, and for every eighth its bundle in base64, are printed as one
// JSON array, "" for what ended early.
const fs = require("fs");
const zlib = require("zlib");
const path = require("path");

const [dir, member, unpacked] = process.argv.slice(2);
console.log = console.error; // what Go says of its end; standard output is for reports
require(path.resolve(dir, "wasm_exec.js"));

const folder = path.resolve(__dirname, "../../../../data/names");
const files = fs.readdirSync(folder).filter((f) => f.endsWith(".toml"));
const own = Object.fromEntries(files.map((f) => ["names/" + f, fs.readFileSync(path.join(folder, f), "utf8")]));
const names = Buffer.from(JSON.stringify([own]));

(async () => {
  const module = await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(path.join(dir, "reader.wasm.gz"))));
  const made = [];
  const cases = JSON.parse(fs.readFileSync(path.join(dir, "cases.json"), "utf8"));
  for (const [i, files] of cases.entries()) {
    for (const bundle of i % 8 ? [false] : [false, true]) {
      const go = new Go();
      const drop = {
        files: files.map((f) => ({ name: f.name, bytes: new Uint8Array(Buffer.from(f.data, "base64")) })),
        units: new Uint8Array(Buffer.from('{"usual":{"ttft.median":"min"},"of":{}}')),
        bundle,
        progress() {},
        done: (error, made) => (said = error ? "error: " + error : Buffer.from(made).toString(bundle ? "base64" : "utf8")),
      };
      let said = "";
      globalThis.inferdexReader = {
        names: new Uint8Array(names),
        limits: { member: Number(member), unpacked: Number(unpacked) },
        ready: (read) => setTimeout(() => read(drop)),
      };
      await go.run(await WebAssembly.instantiate(module, go.importObject)).catch(() => {});
      made.push(said);
    }
  }
  process.stdout.write(JSON.stringify(made), () => process.exit(0));
})();
