// Makes src/assay/reports/page/vega.js: `npm install && npm run build` in this folder.
// The licences of everything that goes in stand on top, because reports carry the script to other people.
import { build } from "esbuild";
import { existsSync, readFileSync, readdirSync } from "node:fs";

const options = { entryPoints: ["entry.js"], bundle: true, minify: true, format: "iife", globalName: "vega" };
const { metafile } = await build({ ...options, metafile: true, write: false, outfile: "dry.js" });

const home = (file) => file.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
const licences = new Map();
for (const folder of new Set(Object.keys(metafile.inputs).map(home).filter(Boolean))) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`));
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each));
  if (!file || !existsSync(`${folder}/${file}`)) throw new Error(`${name} has no licence file`);
  const text = readFileSync(`${folder}/${file}`, "utf8").trim().replaceAll("*/", "* /");
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
}
const banner = [...licences].map(([text, names]) => `${names.sort().join(", ")}\n\n${text}`).join("\n\n---\n\n");
await build({ ...options, legalComments: "none", banner: { js: `/*\n${banner}\n*/` }, outfile: "../../src/assay/reports/write/page/vega.js" });
