/** What many tests begin with: made once in a run of the tests, then copied or read. */
import { join } from 'node:path'
import { repository } from './svc-command.ts'

type MadeOnce = (name: string, make: (folder: string) => Promise<void>) => Promise<string>

export const { madeOnce } = (await import(join(repository, '.config/made-once.mjs'))) as { madeOnce: MadeOnce }
