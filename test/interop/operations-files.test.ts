/**
 * The dashboard and the alert rules that svc-ops ships, against what a running application answers to a scrape.
 *
 * In a process of its own: the application is loaded from its folder, which becomes the current one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { repository } from '../support/command-hosts.ts'
import { fullApp, PASSWORD } from '../support/full-app.ts'

const FOLDER = join(repository, 'plugins/svc-ops/operations')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

/** Words of PromQL that are used; another one is a slip of a name. */
const WORDS = new Set(
  'sum rate by le time max min topk histogram_quantile increase changes deriv offset and avg'.split(' ')
)
/** Made by Prometheus itself. */
const ITS_OWN = new Map([['up', new Set<string>()]])
/** What Prometheus adds to each series. */
const ADDED = ['job', 'instance']

/** Metrics and their labels, as a text of Prometheus has them. */
function metricsOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const known = found.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="(?:[^"\\]|\\.)*"/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

/** The names of an expression, and the labels that it asks each of them for. */
function readOf(expr: string): { readonly names: readonly string[]; readonly labels: readonly [string, string][] } {
  const bare = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/\[[^\]]*\]/g, '')
  const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((each) => each.trim())
  )
  const selected = [...bare.matchAll(/([a-z_:][a-z0-9_:]*)\{([^}]*)\}/g)]
  const labels = selected.flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']): [string, string] => [name, label])
  )
  const words = bare.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\{[^}]*\}/g, '')
  const names = [...words.matchAll(/\b[a-z_:][a-z0-9_:]*\b/g)].map(([name]) => name).filter((name) => !WORDS.has(name))
  return {
    names,
    labels: [...labels, ...names.flatMap((name) => grouped.map((label): [string, string] => [name, label]))]
  }
}

const { groups } = parse(readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as { panels: Panel[] }
const targets = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr })))

/** Follows the guide: a key of a user with the role, made over HTTP. */
async function scraped(t: Test, fastify: FastifyInstance): Promise<string> {
  await fastify.userAccounts.create({ identifier: 'prometheus', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  const post = (path: string, payload: object, headers = {}) =>
    fastify.inject({ method: 'POST', url: `/svc/security/api/${path}`, payload, headers })
  const login = await post('token', { username: 'prometheus', password: PASSWORD })
  const bearer = { authorization: `Bearer ${login.json().access_token}` }
  const made = await post('keys', { name: 'prometheus', expiresInDays: null }, bearer)
  t.equal(made.statusCode, 201, made.body)
  const headers = { authorization: `Bearer ${made.json().token}` }
  const answer = await fastify.inject({ url: '/svc/ops/metrics', headers })
  t.equal(answer.statusCode, 200)
  return answer.body
}

t.test('every name and label is one that an application has', { timeout: 0 }, async (t) => {
  const { fastify } = await fullApp(t)
  await fastify.inject('/api/hello')
  const { channel } = await import('node:diagnostics_channel')
  const attempt = { app: fastify.server, endpointId: 'e', type: 't', eventId: null, durationMs: 1 }
  channel('svc.webhooks.delivered').publish(attempt)
  channel('svc.jobs.attempt').publish({ app: fastify.server, name: 'n', result: 'done', durationMs: 1 })
  const text = await scraped(t, fastify)
  const known = new Map([...metricsOf(text), ...ITS_OWN])
  const asked = [...targets, ...rules.map(({ alert, expr }) => ({ of: alert, expr }))]
  const used = new Set<string>()
  for (const { of, expr } of asked) {
    const { names, labels } = readOf(expr)
    t.ok(names.length > 0, `${of} reads a metric`)
    for (const name of names) {
      used.add(name)
      t.ok(known.has(name), `${of}: ${name} exists`)
    }
    for (const [name, label] of labels) {
      t.ok(ADDED.includes(label) || known.get(name)?.has(label), `${of}: ${name} has the label ${label}`)
    }
  }
  const shown = new Set(targets.flatMap(({ expr }) => readOf(expr).names.map(family)))
  const missing = [...new Set([...known.keys()].map(family))].filter((name) => !shown.has(name) && name !== 'up')
  t.strictSame(missing, [], 'every metric is on the dashboard')
})

t.test('a reading of names finds slips', (t) => {
  t.match(readOf('sum by (job) (rate(a_total{x="b{c}"}[5m])) / b_total > 0.1'), {
    names: ['a_total', 'b_total'],
    labels: [
      ['a_total', 'x'],
      ['a_total', 'job'],
      ['b_total', 'job']
    ]
  })
  t.end()
})

t.test('rules say how urgent they are, what is wrong and what to do; panels are told apart', (t) => {
  t.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations } of rules) {
    t.match(labels.severity, /^(?:page|ticket)$/, alert)
    t.match(annotations, { summary: /\S/, description: /\.$/ }, alert)
  }
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  t.end()
})

/** A histogram has three names. */
function family(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '')
}
