/** A folder that goes with its test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sqlorm-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
