/** An explanation as a person reads it. Pure. */
import type { AccessReport, ClauseAnswer, ProofAnswer } from 'svc-kernel/explain'

type Outcome = Pick<AccessReport, 'decision' | 'status' | 'reason'>

export function explanationText(report: AccessReport): string {
  const { method, path, caller, route, zone, proofs, note } = report
  const lines = [
    `${method} ${path} as ${callerText(caller)}`,
    '',
    field('route', routeText(route)),
    field('zone', zone === null ? zoneless(route) : `${zone.name}  ${zone.pattern}  (${zone.mode})`),
    field('authenticators', zone === null ? '-' : zone.authenticators.join(', ')),
    ...proofs.flatMap((proof) => proofLines(proof, proofs.length > 1)),
    field('decision', report.decision === 'depends' ? dependsText(proofs) : outcomeText(report))
  ]
  if (note !== null) lines.push(field('note', note))
  return lines.join('\n')
}

function callerText({ identifier, roles, scopes }: AccessReport['caller']): string {
  const scoped = scopes.length === 0 ? '' : `, scopes: ${scopes.join(', ')}`
  return `${identifier} (roles: ${roles.join(', ') || 'none'}${scoped})`
}

function routeText(route: AccessReport['route']): string {
  if (route === null) return 'none answers'
  const { name, path, source } = route
  return [name ?? path, ...(source === null ? [] : [source])].join('  ')
}

function zoneless(route: AccessReport['route']): string {
  if (route?.bypassFirewall === true) return 'none: @BypassFirewall, the firewall skips this route'
  return route?.anonymous === true ? 'none: @Anonymous, authentication is skipped' : 'none'
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
  if (decision === 'upgrade required') return '426: a WebSocket route, which answers upgrades only'
  return `${status} refused: ${reason}`
}

function dependsText(proofs: readonly ProofAnswer[]): string {
  const each = proofs.map(({ authenticator, status }) => `${authenticator} ${status ?? 'granted'}`)
  return `depends on the proof: ${each.join(', ')}`
}

function field(name: string, value: string): string {
  return `${name.padEnd(14)}  ${value}`
}
