/** Addresses that have the right form and cannot be read: the boot says so, and shows nothing of them. */
import type { BootError } from 'svc-kernel'
import t from 'tap'
import { application } from '../support/application.ts'

const rows: [what: string, uri: string, got: RegExp][] = [
  ['an option that does not exist', 'mongodb://root:topsecret@h/db?nope=1', /^option nope is not supported$/],
  ['a port that is none', 'mongodb://root:topsecret@h:abc/db', /driver refuses/],
  ['a password with an at-sign', 'mongodb://root:top@secret@h/db', /driver refuses/],
  ['a blank in the host', 'mongodb://my topsecret/db', /./]
]

for (const [what, uri, got] of rows) {
  t.test(`D10: ${what}`, async (t) => {
    const booted = application(t, { options: { connectors: { svc: { uri } } } })
    const refused = (await booted.then(undefined, (error: unknown) => error)) as BootError
    t.match(refused.problems, [{ at: /svc-docdb\.connectors\.svc\.uri/, got }])
    t.notMatch(JSON.stringify(refused.problems), /secret|root/)
  })
}
