/** `svc` commands and programs that each run once, in processes that are kept for the next one. */
import { join } from 'node:path'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type RunInHost = (given: object, timeoutMs: number) => Promise<Finished>

/** The repository; tests run from its root. */
export const repository = process.cwd()

export const { runInHost } = (await import(join(repository, '.config/command-hosts.mjs'))) as { runInHost: RunInHost }
