/**
 * Zones that do not do what their declaration seems to say: warnings, the application still boots, fail-closed. A
 * pattern that could take exponential time is refused: the path of a request is matched against it.
 */
import safeRegex from 'safe-regex2'
import type { Problem } from 'svc-kernel'
import type { AreasConfig } from '../options.ts'
import { ANONYMOUS_NAME } from './authenticators/authenticator.ts'
import { API_KEY_NAME, JWT_NAME } from './authenticators/bearer-authenticators.ts'
import { SESSION_NAME } from './authenticators/session-authenticator.ts'
import { USERPASSWORD_NAME } from './authenticators/userpassword-authenticator.ts'
import { alternatives } from './zones/pattern-reach.ts'
import type { Zone } from './zones/zone-map.ts'

const MORE = 'npx svc docs zones'

/** Credentials that name no audience: what they open, they open in every zone. */
const FOR_ALL: readonly string[] = [SESSION_NAME, USERPASSWORD_NAME, API_KEY_NAME]

/** Zones that the boot refuses. @param general the audience of the other zones */
export function zoneProblems(areas: AreasConfig, general: string): Problem[] {
  return [...patternProblems(areas), ...audienceProblems(areas, general)]
}

function audienceProblems(areas: AreasConfig, general: string): Problem[] {
  return Object.entries(areas).flatMap(([name, { audience, authenticators }]): Problem[] => {
    if (audience === undefined) return []
    const at = `svc-security.areas.${name}`
    const open = authenticators.filter((authenticator) => FOR_ALL.includes(authenticator))
    const message = `areas.${name} has an audience, and takes ${open.join(', ')}, which other zones take too`
    const shared = `areas.${name}.audience is also the audience of the zones without one`
    const common = { code: 'SVC_ZONE_AUDIENCE', more: MORE }
    return [
      ...(open.length === 0
        ? []
        : [{ ...common, message, at: `${at}.authenticators`, got: open.join(', '), fix: `list ${JWT_NAME}` }]),
      ...(audience === general
        ? [
            {
              ...common,
              message: shared,
              at: `${at}.audience`,
              got: audience,
              fix: 'give the zone an audience of its own'
            }
          ]
        : [])
    ]
  })
}

function patternProblems(areas: AreasConfig): Problem[] {
  return Object.entries(areas)
    .filter(([, { pattern }]) => !safeRegex(pattern.replace(/\(\?<[=!]/g, '(?='), { limit: 1000 }))
    .map(([name, { pattern }]) => ({
      code: 'SVC_ZONE_PATTERN',
      message: `areas.${name}.pattern nests repetitions: a crafted path could block the process`,
      at: `svc-security.areas.${name}.pattern`,
      got: JSON.stringify(pattern),
      expected: 'no repetition inside a repetition',
      fix: 'match only the beginning of the path, such as ^/files(?:/|$)',
      more: MORE
    }))
}

export function zoneWarnings(zones: readonly Zone[]): Problem[] {
  return zones.flatMap((zone, index) => [
    ...orderLints(zone),
    ...anchorLints(zone),
    ...shadowLints(zone, zones.slice(0, index))
  ])
}

/** Without `^` the text may be anywhere in a path. */
function anchorLints({ name, pattern }: Zone): Problem[] {
  if (alternatives(pattern.source).every((source) => /^(?:\((?:\?:)?)*\^/.test(source))) return []
  return [
    {
      code: 'SVC_ZONE_UNANCHORED',
      message: `areas.${name}.pattern (${text(pattern)}) does not start with ^, so it also matches in the middle of a path`,
      at: `svc-security.areas.${name}.pattern`,
      fix: 'start it, and each of its alternatives, with ^',
      more: MORE
    }
  ]
}

/** `anonymous` accepts every request, so in mode `first` nothing after it is tried. */
function orderLints({ name, mode, authenticators, takesCredentials }: Zone): Problem[] {
  const position = authenticators.indexOf(ANONYMOUS_NAME)
  if (position === -1) return []
  const at = `areas.${name}.authenticators[${position}]`
  const after = authenticators.slice(position + 1)
  if (mode === 'first' && after.length > 0) {
    const never = after.length === 1 ? `${after[0]} is never tried` : `${after.join(', ')} are never tried`
    return [problem(at, `${at} = anonymous accepts every request; ${never}`, 'move it last')]
  }
  if (mode === 'all' && takesCredentials) {
    const message = `${at} = anonymous is a second subject in mode all; every request will be 401`
    return [problem(at, message, "remove it, or use mode 'first'")]
  }
  return []
}

/** An earlier zone that matches the text this one begins with, and whatever follows it, takes every route. */
function shadowLints({ name, reach, pattern }: Zone, earlier: readonly Zone[]): Problem[] {
  const shadow = earlier.find((zone) => reach.prefix !== '' && zone.reach.settles?.test(reach.prefix))
  if (shadow === undefined) return []
  return [
    {
      code: 'SVC_ZONE_UNREACHABLE',
      message: `areas.${name} (${text(pattern)}) has no route: areas.${shadow.name} (${text(shadow.pattern)}) comes first and matches them all`,
      at: `svc-security.areas.${name}`,
      fix: `declare ${name} before ${shadow.name}`,
      more: MORE
    }
  ]
}

function problem(at: string, message: string, fix: string): Problem {
  return { code: 'SVC_ZONE_ORDER', message, at: `svc-security.${at}`, fix, more: MORE }
}

/** As it was written: `RegExp` escapes slashes in its source. */
function text(pattern: RegExp): string {
  return pattern.source.replaceAll('\\/', '/')
}
