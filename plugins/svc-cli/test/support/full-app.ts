/** An application of the preset `full` on documents, with the packages of the repository in place of an install. */
import type { Test } from 'tap'
import { createdApp } from './sandbox.ts'
import { runSvc } from './svc-process.ts'

export function fullApp(t: Test): Promise<string> {
  return createdApp(t, 'full --database documents')
}

/** `svc build`, which must succeed. @returns what it warned of */
export async function buildApp(cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runSvc(['build'], { cwd })
  if (code !== 0) throw new Error(stdout + stderr)
  return stderr
}
