/** An explanation as a person reads it. Pure. */
import { patternText } from '../application/security-view.ts'
import type { ClauseAnswer } from './deliberation.ts'
import type { Caller, Explanation } from './explanation.ts'
import type { FoundRoute } from './find-route.ts'

export function explanationText(
  request: string,
  caller: Caller,
  found: FoundRoute | null,
  { zone, clauses, decision, status, reason, note }: Explanation
): string {
  const lines = [
    `${request} as ${callerText(caller)}`,
    '',
    field('route', routeText(found)),
    field('zone', zone === null ? zoneless(found) : `${zone.name}  ${patternText(zone)}  (${zone.mode})`),
    field('authenticators', zone === null ? '-' : zone.authenticators.join(', '))
  ]
  if (clauses.length === 0) lines.push(field('guard', '-'))
  lines.push(...clauses.flatMap((clause, index) => clauseLines(clause, index, clauses.length)))
  lines.push(field('decision', decisionText(decision, status, reason)))
  if (note !== null) lines.push(field('note', note))
  return lines.join('\n')
}

function callerText({ identifier, roles, scopes }: Caller): string {
  const scoped = scopes.length === 0 ? '' : `, scopes: ${scopes.join(', ')}`
  return `${identifier} (roles: ${roles.join(', ') || 'none'}${scoped})`
}

function routeText(found: FoundRoute | null): string {
  if (found === null) return 'none answers'
  const { name, path, source } = found.route
  return [name ?? path, ...(source === null ? [] : [source])].join('  ')
}

function zoneless(found: FoundRoute | null): string {
  if (found?.route.bypassFirewall === true) return 'none: @BypassFirewall, the firewall does not look at this route'
  return found?.route.anonymous === true ? 'none: @Anonymous, authentication is skipped' : 'none'
}

function clauseLines({ attributes, granted }: ClauseAnswer, index: number, count: number): string[] {
  const title = field(count === 1 ? 'guard' : `guard ${index + 1}/${count}`, granted ? 'passed' : 'refused')
  return [
    title,
    ...attributes.map(({ attribute, subject, granted: one, reason, votes }) => {
      const about = subject === undefined ? '' : `(${subject.param} = ${JSON.stringify(subject.value ?? null)})`
      const cast = votes.map(
        ({ voter, vote, reason: why }) => `${voter}: ${vote}${why === undefined ? '' : ` "${why}"`}`
      )
      return `  ${attribute}${about}  ${cast.join(', ') || 'nobody votes'}  -> ${one ? 'granted' : `refused (${reason})`}`
    })
  ]
}

function decisionText(decision: Explanation['decision'], status: number | null, reason: string | null): string {
  if (decision === 'granted') return 'granted: the controller answers'
  if (decision === 'not found') return '404: no route answers'
  return `${status} refused: ${reason}`
}

function field(name: string, value: string): string {
  return `${name.padEnd(14)}  ${value}`
}
