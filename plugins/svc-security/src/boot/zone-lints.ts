/** Zones that do not do what their declaration seems to say. Warnings: the application still boots, fail-closed. */
import type { Problem } from 'svc-kernel'
import { ANONYMOUS_NAME } from '../authenticators/anonymous-authenticator.ts'
import type { Zone } from '../firewall/zone.ts'

const MORE = 'docs/guides/securing-routes.md'

export function zoneLints(zones: readonly Zone[]): Problem[] {
  return zones.flatMap((zone, index) => [...orderLints(zone), ...shadowLints(zone, zones.slice(0, index))])
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
      message: `areas.${name} (${text(pattern)}) holds no route: areas.${shadow.name} (${text(shadow.pattern)}) comes first and takes them all`,
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
