/** The backends by name, and a campaign as tests: one on each that this machine has. What it lacks is said aloud. */
import type { Test } from 'tap'
import type { Absent, Backend } from './backend.ts'
import { documents } from './documents.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { sqlite } from './sqlite.ts'

/** For a machine that does much else: four times what an idle one takes. */
const LIMIT_MS = 480_000

export type Opens = () => Promise<Backend | Absent>

export const DATABASES = { sqlite, postgres, documents }
export const BACKENDS = { ...DATABASES, redis }

/** @param what happens on them, for the names of the tests */
export function onEach(
  t: Test,
  backends: Readonly<Record<string, Opens>>,
  what: string,
  campaign: (t: Test, backend: Backend) => Promise<void>
): void {
  t.setTimeout(Object.keys(backends).length * LIMIT_MS)
  for (const [name, open] of Object.entries(backends)) {
    t.test(`${name}: ${what}`, { timeout: LIMIT_MS }, async (t) => {
      const backend = await open()
      if ('absent' in backend) {
        process.stderr.write(`\n  SKIPPED: ${backend.absent}; on ${name} it was not tried: ${what}\n\n`)
        t.plan(0, backend.absent)
        return
      }
      t.teardown(() => backend.close())
      await campaign(t, backend)
    })
  }
}
