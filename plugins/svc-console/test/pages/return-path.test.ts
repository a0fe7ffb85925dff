/** Where a sign-in leads to: nothing but a page of the console, however the link is written. */
import t from 'tap'
import { returnPath } from '../../src/pages/return-path.ts'

const BASE = '/svc/console'

const rows: [given: unknown, found: string][] = [
  ['/svc/console', BASE],
  ['/svc/console/audit', '/svc/console/audit'],
  ['/svc/console/audit?outcome=denied&q=a%20b', '/svc/console/audit?outcome=denied&q=a%20b'],
  ['/svc/console/webhooks/wh%2F1', '/svc/console/webhooks/wh%2F1'],
  // Other hosts, in every spelling that a browser reads as one.
  ['//evil.example', BASE],
  ['//evil.example/svc/console/', BASE],
  ['/\\evil.example', BASE],
  ['\\\\evil.example', BASE],
  ['/\t/evil.example', BASE],
  ['/\n/evil.example', BASE],
  ['///evil.example', BASE],
  ['https://evil.example/svc/console/', BASE],
  ['http:evil.example', BASE],
  ['javascript:alert(1)', BASE],
  ['data:text/html,x', BASE],
  ['//localhost@evil.example/svc/console/', BASE],
  ['/%2f/evil.example', BASE],
  ['%2f%2fevil.example', BASE],
  // Other paths of this host.
  ['/', BASE],
  ['/svc/consoles', BASE],
  ['/svc/console/../../logout', BASE],
  ['/svc/console/%2e%2e/%2e%2e/logout', BASE],
  ['/svc/console/..\\..\\logout', BASE],
  ['/svc/security/api/auth/logout', BASE],
  // No circles.
  ['/svc/console/sign-in', BASE],
  ['/svc/console/sign-in?return=/svc/console/sign-in', BASE],
  // What is no text, or too much of it.
  [undefined, BASE],
  [['/svc/console/audit', '//evil.example'], BASE],
  [{ toString: () => '/svc/console/audit' }, BASE],
  ['', BASE],
  [`/svc/console/${'a'.repeat(3000)}`, BASE]
]

for (const [given, found] of rows) {
  t.test(JSON.stringify(given)?.slice(0, 60) ?? 'nothing', async (t) => {
    t.equal(returnPath(BASE, given), found)
  })
}
