/** An outage of SQLite within this process. */
import { StatementSync } from 'node:sqlite'
import type { Test } from 'tap'

/** SQLite cannot read its file (SQLITE_IOERR), until the test ends. */
export function failingDatabase(t: Test): void {
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    t.intercept(StatementSync.prototype, method, {
      value: () => {
        throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
      }
    })
  }
}
