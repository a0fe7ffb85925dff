/**
 * What an ID token says of the login behind it: `auth_time`, `amr` and `acr` (OpenID Connect Core, 2). A login that is older
 * than the answer is as old as it says. What a provider reports counts as a second factor only where the application says
 * so, by the values that do. Pure.
 */
import type { Proof } from '../../sessions/stored-proof.ts'

/** A login at a provider. */
const SOCIAL = 'social'

/** A login at a provider whose second factor the application accepts. */
const FEDERATED = 'federated'

/** How far the clock of a provider may be ahead, in milliseconds. */
const CLOCKS_MS = 60_000

/** More than providers report, so that a session stays small. */
const MOST_NAMES = 10

/** Of a name that a session can store. */
const NAME = /^[\x21-\x7e]{1,100}$/

/**
 * @param claims of an ID token whose signature holds
 * @param now epoch ms: when no time is said, the answer to a code is the proof
 * @param accepted values of `amr` and `acr` that count as a second factor
 */
export function providerLogin(
  { auth_time: time, amr, acr }: Readonly<Record<string, unknown>>,
  now: number,
  accepted: readonly string[]
): Proof {
  const names = [...(Array.isArray(amr) ? amr : []), acr].filter(isName).slice(0, MOST_NAMES)
  const second = names.some((name) => accepted.includes(name))
  const reported = names.map((name) => `${SOCIAL}:${name}`)
  return { provenAt: loginTime(time, now), factors: [SOCIAL, ...(second ? [FEDERATED] : []), ...reported] }
}

/** A time that cannot be read, or is still to come, is none: it proves nothing that is recent. */
function loginTime(time: unknown, now: number): number {
  if (time === undefined) return now
  const at = typeof time === 'number' && Number.isSafeInteger(time) && time > 0 ? time * 1000 : 0
  return at > now + CLOCKS_MS ? 0 : Math.min(at, now)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
