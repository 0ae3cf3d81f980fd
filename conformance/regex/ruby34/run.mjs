// Runs a script in MRI 3.4, compiled to WebAssembly: node run.mjs PACKAGES SCRIPT FOLDER [ARGUMENT...]
//
// The script sees FOLDER as /guest, and its own folder as /scripts.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { WASI } from "node:wasi";
import { pathToFileURL } from "node:url";

const [packages, script, folder, ...rest] = process.argv.slice(2);
const require = createRequire(join(resolve(packages), "package.json"));
const { RubyVM } = await import(pathToFileURL(require.resolve("@ruby/wasm-wasi")));
const binary = await readFile(require.resolve("@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm"));
const module = await WebAssembly.compile(binary);
const wasi = new WASI({
  version: "preview1",
  returnOnExit: true,
  preopens: { "/guest": resolve(folder), "/scripts": dirname(resolve(script)) },
});
const { vm } = await RubyVM.instantiateModule({ module, wasip1: wasi });
vm.eval(`ARGV.replace(${JSON.stringify(rest)}); load ${JSON.stringify("/scripts/" + basename(script))}`);
