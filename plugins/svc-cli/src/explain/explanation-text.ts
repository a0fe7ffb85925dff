/** An explanation as a person reads it. Pure. */
import { patternText } from '../application/security-view.ts'
import type { Caller } from './caller.ts'
import type { ClauseAnswer } from './deliberation.ts'
import type { Explanation, Outcome, ProofAnswer } from './explanation.ts'
import type { FoundRoute } from './find-route.ts'

export function explanationText(
  request: string,
  caller: Caller,
  found: FoundRoute | null,
  { zone, proofs, outcome, note }: Explanation
): string {
  const lines = [
    `${request} as ${callerText(caller)}`,
    '',
    field('route', routeText(found)),
    field('zone', zone === null ? zoneless(found) : `${zone.name}  ${patternText(zone)}  (${zone.mode})`),
    field('authenticators', zone === null ? '-' : zone.authenticators.join(', ')),
    ...proofs.flatMap((proof) => proofLines(proof, proofs.length > 1)),
    field('decision', outcome === null ? dependsText(proofs) : outcomeText(outcome))
  ]
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

function proofLines(proof: ProofAnswer, several: boolean): string[] {
  const { authenticator, token, clauses } = proof
  const made = token === null || token === authenticator ? '' : `, a token of type ${token}`
  const by = authenticator === null ? [] : [`${authenticator}${made}`]
  if (several) return [field('by', `${by[0]}: ${outcomeText(proof)}`), ...clausesText(clauses)]
  return [
    ...by.map((text) => field('by', text)),
    ...(clauses.length === 0 ? [field('guard', '-')] : clausesText(clauses))
  ]
}

function clausesText(clauses: readonly ClauseAnswer[]): string[] {
  return clauses.flatMap((clause, index) => clauseLines(clause, index, clauses.length))
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
      return `  ${attribute}${about}  ${cast.join(', ') || 'no votes'}  -> ${one ? 'granted' : `refused (${reason})`}`
    })
  ]
}

function outcomeText({ decision, status, reason }: Outcome): string {
  if (decision === 'granted') return 'granted: the controller answers'
  if (decision === 'not found') return '404: no route answers'
  if (decision === 'upgrade required') return '426: a WEBSOCKET route, which answers upgrades only'
  return `${status} refused: ${reason}`
}

function dependsText(proofs: readonly ProofAnswer[]): string {
  const each = proofs.map(({ authenticator, status }) => `${authenticator} ${status ?? 'granted'}`)
  return `depends on the proof: ${each.join(', ')}`
}

function field(name: string, value: string): string {
  return `${name.padEnd(14)}  ${value}`
}
