/**
 * The template, the documentation and the READMEs, copied to where the published svc-cli carries them; npm runs it before it packs.
 * A file is written in one step and only where it differs, so that two packs at once do not disturb each other.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from './run-step.mjs'

const target = join(root, 'plugins/svc-cli/dist/shipped')

const readmes = readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}/README.md`)
const wanted = [...filesIn('app-template'), ...filesIn('docs'), ...readmes]
for (const path of wanted) put(readFileSync(join(root, path)), join(target, path))
for (const path of filesIn('', target)) {
  if (!wanted.includes(path)) rmSync(join(target, path), { force: true })
}

/** Paths relative to `base`, with `/`. */
function filesIn(folder, base = root) {
  const entries = readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) =>
      relative(base, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/')
    )
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
}

function put(bytes, file) {
  if (existsSync(file) && readFileSync(file).equals(bytes)) return
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, bytes)
  renameSync(part, file)
}
