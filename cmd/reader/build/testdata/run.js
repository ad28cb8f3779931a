// Runs the reader on cases, each in an instance of its own: node run.js DIR MEMBER UNPACKED. DIR has what build wrote
// and cases.json; for each case a report, and for every eighth its bundle in base64, are printed as one
// JSON array, "" for what ended early.
const fs = require("fs");
const zlib = require("zlib");
const path = require("path");

const [dir, member, unpacked] = process.argv.slice(2);
console.log = console.error; // what Go says of its end; standard output is for reports
require(path.resolve(dir, "wasm_exec.js"));

// zip is an archive of files that are not compressed.
function zip(files) {
  const parts = [];
  const central = [];
  let at = 0;
  for (const { name, data } of files) {
    const n = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(zlib.crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(n.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, n, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x00"), fields, tail, n);
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06"), end]);
}

const folder = path.resolve(__dirname, "../../../../data/names");
const names = zip(
  fs
    .readdirSync(folder)
    .filter((f) => f.endsWith(".toml"))
    .map((f) => ({ name: "0/names/" + f, data: fs.readFileSync(path.join(folder, f)) })),
);

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
