/** The work of a request as rows of a waterfall: phases, and in them who was let in, votes, methods, queries. Pure. */
import type { WholeRequest } from './requests-api.ts'

export interface Bar {
  readonly name: string
  /** What it asked for, such as the text of a statement. */
  readonly detail: string | null
  readonly kind: 'phase' | 'admission' | 'decision' | 'vote' | 'operation' | 'repository' | 'statement'
  readonly fromMs: number
  readonly toMs: number
  readonly failed: boolean
  /** How many others it is part of. */
  readonly depth: number
}

type Span = Omit<Bar, 'depth'>

const PHASES = {
  admitted: 'hooks and firewall',
  guarded: 'guard',
  parsed: 'body',
  validated: 'validation',
  handled: 'handler'
} as const

/** Clocks of work and of its parts are read one after the other. */
const TOLERANCE_MS = 0.05

/** What came when the answer was out is no part of it. */
export function barsOf(request: WholeRequest): Bar[] {
  const spans = [...phasesOf(request), ...admissionOf(request), ...decisionsOf(request), ...workOf(request)]
  spans.sort((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)
  const around: Span[] = []
  return spans.map((span) => {
    while (around.length > 0 && !isPart(span, around.at(-1) as Span)) around.pop()
    const depth = around.length
    around.push(span)
    return { ...span, depth }
  })
}

function isPart(span: Span, whole: Span): boolean {
  return whole.kind !== 'vote' && span.fromMs >= whole.fromMs - TOLERANCE_MS && span.toMs <= whole.toMs + TOLERANCE_MS
}

/** A phase lasts from the end of the one before. What never ended is left out; the rest is the answer. */
function phasesOf({ phases, durationMs }: WholeRequest): Span[] {
  let fromMs = 0
  const spans = Object.entries(PHASES).flatMap(([phase, name]) => {
    const toMs = phases[phase as keyof typeof PHASES]
    if (toMs === null) return []
    const span = phaseSpan(name, fromMs, toMs)
    fromMs = toMs
    return [span]
  })
  return [...spans, phaseSpan('answer', fromMs, Math.max(durationMs, fromMs))]
}

function phaseSpan(name: string, fromMs: number, toMs: number): Span {
  return { name, detail: null, kind: 'phase', fromMs, toMs, failed: false }
}

function admissionOf({ admission }: WholeRequest): Span[] {
  if (admission === null) return []
  const { zone, authenticator, outcome, at, durationMs } = admission
  const name = `zone ${zone}${authenticator === null ? '' : `, ${authenticator}`}: ${outcome}`
  return [{ name, detail: null, kind: 'admission', ...times(at, durationMs), failed: outcome === 'refused' }]
}

function decisionsOf({ decisions }: WholeRequest): Span[] {
  return decisions.flatMap(({ attribute, granted, at, durationMs, votes }) => [
    {
      name: `${attribute}: ${granted ? 'granted' : 'refused'}`,
      detail: null,
      kind: 'decision' as const,
      ...times(at, durationMs),
      failed: !granted
    },
    ...votes.map((vote) => ({
      name: `${vote.voter}: ${vote.vote}`,
      detail: null,
      kind: 'vote' as const,
      ...times(vote.at, vote.durationMs),
      failed: vote.vote === 'DENY' || vote.vote === 'ERROR'
    }))
  ])
}

function workOf({ calls, statements }: WholeRequest): Span[] {
  return [
    ...calls
      .filter(({ afterwards }) => !afterwards)
      .map(({ kind, name, plan, at, durationMs, failed }): Span => {
        return { name, detail: plan, kind: kind as Span['kind'], ...times(at, durationMs), failed }
      }),
    ...statements
      .filter(({ afterwards }) => !afterwards)
      .map(({ connector, kind, table, text, at, durationMs, failed }): Span => {
        const name = [kind, table, `on ${connector}`].filter((part) => part !== null).join(' ')
        return { name, detail: text, kind: 'statement', ...times(at ?? durationMs, durationMs), failed }
      })
  ]
}

/** @param at when it ended */
function times(at: number, durationMs: number) {
  return { fromMs: Math.max(0, at - durationMs), toMs: at }
}
