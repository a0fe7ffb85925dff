/**
 * What an application's own authenticators leave unsaid and the boot warns of: how a request carries the credential. Unsaid,
 * it counts as sent by browsers, which refuses what a program does by itself.
 */
import type { Carrier, Problem } from 'svc-kernel'
import type { NamedAuthenticator } from './authenticators/authenticator.ts'
import { authenticatorRegistry } from './build-authenticators.ts'

const CARRIERS: Readonly<Record<Carrier, true>> = {
  authorization: true,
  header: true,
  cookie: true,
  connection: true,
  unknown: true
}

export function carrierWarnings(authenticators: Iterable<NamedAuthenticator>): Problem[] {
  return [...authenticators]
    .filter(({ name, authenticator: { carrier } }) => {
      return authenticatorRegistry.get(name) !== 'built-in' && !Object.hasOwn(CARRIERS, String(carrier))
    })
    .map(({ name, authenticator: { carrier } }) => ({
      code: 'SVC_SEC_NO_CARRIER',
      message: `authenticator "${name}" has no carrier, so its credential counts as sent by browsers: changes from other origins and WebSockets without an Origin are refused`,
      at: `authenticator ${name}`,
      got: carrier === undefined ? 'no carrier' : JSON.stringify(carrier),
      expected: Object.keys(CARRIERS).join(' | '),
      fix: "add readonly carrier = 'header' to the class, or the value that applies",
      more: 'npx svc docs authenticators'
    }))
}
