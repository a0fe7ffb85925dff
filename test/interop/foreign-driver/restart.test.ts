/** An application that keeps every record in the file of a foreign driver, found by `auto`: it works, also after a restart. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { survivesRestart } from '../restart-scenario.ts'
import mapfile from './mapfile.ts'

t.test('everything survives a restart of the application', async (t) => {
  // Of the outer test: it is removed when the applications of the inner one are closed.
  const file = join(t.testdir({}), 'shop.json')
  await t.test('with every record in the file', (t) =>
    survivesRestart(t, { name: 'mapfile', store: 'auto', module: (_folder, clock) => [mapfile, { file, clock }] })
  )
  const tables = Object.keys(JSON.parse(readFileSync(file, 'utf8')))
  const expected = ['user', 'session', 'access_token', 'totp', 'webauthn_credential', 'webhook_endpoint', 'audit_event']
  for (const name of [...expected, 'idempotency_key']) t.ok(tables.includes(`svc_${name}`), name)
})
