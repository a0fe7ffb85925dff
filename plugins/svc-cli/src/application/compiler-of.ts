/** The TypeScript compiler of an application: its own version decides. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveFrom } from './app-packages.ts'

/** Absolute path of the `tsc` script, or `null` when TypeScript is not installed. */
export function compilerOf(root: string): string | null {
  const path = resolveFrom(root, 'typescript/package.json')
  if (path === null) return null
  const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin: { tsc: string } }
  return join(dirname(path), bin.tsc)
}
