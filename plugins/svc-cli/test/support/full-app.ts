/** An application of the preset `full`, with the packages of the repository in place of an install. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { sandbox } from './sandbox.ts'
import { runSvc } from './svc-process.ts'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

export async function fullApp(t: Test): Promise<string> {
  const parent = sandbox(t)
  const { code, stderr } = await runSvc(['create', 'app', 'shop', '--preset', 'full'], { cwd: parent })
  if (code !== 0) throw new Error(stderr)
  const cwd = join(parent, 'shop')
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  return cwd
}

/** `svc build`, which must succeed. @returns what it warned of */
export async function buildApp(cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runSvc(['build'], { cwd })
  if (code !== 0) throw new Error(stdout + stderr)
  return stderr
}
