/**
 * The template and the documentation, copied to where the published svc-cli carries them; npm runs it before it packs.
 * A file is written in one step and only where it differs, so that two packs at once do not disturb each other.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run-step.mjs'

const target = join(root, 'plugins/svc-cli/dist/shipped')

for (const name of ['app-template', 'docs']) {
  const wanted = filesIn(join(root, name))
  for (const path of wanted) put(readFileSync(join(root, name, path)), join(target, name, path))
  for (const path of filesIn(join(target, name))) {
    if (!wanted.includes(path)) rmSync(join(target, name, path), { force: true })
  }
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .filter((path) => !/^(?:node_modules|dist)\b/.test(path))
}

function put(bytes, file) {
  if (existsSync(file) && readFileSync(file).equals(bytes)) return
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, bytes)
  renameSync(part, file)
}
