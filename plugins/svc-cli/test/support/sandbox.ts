/** Folders outside the repository, gone when the test ends; and applications in them, as the command creates them. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { runSvc } from './svc-process.ts'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

type MadeOnce = (name: string, make: (folder: string) => Promise<void>) => Promise<string>

const { madeOnce } = (await import(join(dirname(MODULES), '.config/made-once.mjs'))) as { madeOnce: MadeOnce }

export function sandbox(t: Test): string {
  const folder = temporaryFolder()
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'svc-cli-test-')))
}

/**
 * A created application named `shop`, with the packages of the repository in place of an install.
 *
 * @param preset its name, and flags that follow it: `full --database documents`
 */
export async function createdApp(t: Test, preset = 'minimal'): Promise<string> {
  const original = await madeOnce(`created-${preset.replaceAll(' ', '')}`, async (cwd) => {
    const { code, stderr } = await runSvc(['create', 'app', 'shop', '--preset', ...preset.split(' ')], { cwd })
    if (code !== 0) throw new Error(stderr)
  })
  const app = join(sandbox(t), 'shop')
  await cp(join(original, 'shop'), app, { recursive: true })
  symlinkSync(MODULES, join(app, 'node_modules'))
  return app
}

/** The least that is an application: no build, no install, two files. */
export function emptyApp(t: Test): string {
  const folder = sandbox(t)
  writeFileSync(join(folder, 'package.json'), '{"name":"bare","type":"module"}')
  writeFileSync(join(folder, 'svc.config.ts'), '')
  return folder
}

export async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

/** Replaces parts of a file, in one write as an editor does. */
export async function edit(root: string, path: string, ...changes: Array<[from: string, to: string]>): Promise<void> {
  let text = await readFile(join(root, path), 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`)
    text = text.replace(from, to)
  }
  await writeFile(join(root, path), text)
}
