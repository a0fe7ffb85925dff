/** The files that the guide to deploying hands out: systemd takes the unit, and the probes ask routes that exist. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastify as createFastify } from 'fastify'
import svcOps from 'svc-ops'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { inRepository } from './documentation/repository.ts'

const read = (path: string) => readFileSync(inRepository(path), 'utf8')
const unit = read('docs/deploy/app.service')

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Deployment {
  readonly kind: string
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: object
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
          readonly securityContext: object
          readonly startupProbe: Probe
          readonly readinessProbe: Probe
          readonly livenessProbe: Probe
        }[]
      }
    }
  }
}

const documents = parseAllDocuments(read('docs/deploy/kubernetes.yaml'))
const [deployment, service] = documents.map((document) => document.toJS() as Deployment)
const pod = (deployment as Deployment).spec.template.spec
const [container] = pod.containers

t.test('the probes of Kubernetes ask routes of svc-ops, on the port of the application', async (t) => {
  t.strictSame(
    documents.flatMap(({ errors }) => errors),
    []
  )
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps)
  if (container === undefined) throw new Error('no container')
  const { startupProbe, readinessProbe, livenessProbe, ports } = container
  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
    t.equal((await fastify.inject(httpGet.path)).statusCode, 200, httpGet.path)
    t.ok(ports.some(({ name }) => name === httpGet.port))
  }
  fastify.healthChecks.leave()
  t.equal((await fastify.inject(readinessProbe.httpGet.path)).statusCode, 503, 'readiness says that it leaves')
  t.equal((await fastify.inject(livenessProbe.httpGet.path)).statusCode, 200, 'it lives')
  t.match(ports, [{ containerPort: 5151 }])
})

t.test('the pod has no privileges, and its service finds it', async (t) => {
  t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  t.match(container?.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] }
  })
  t.strictSame(deployment?.spec.template.metadata.labels, deployment?.spec.selector.matchLabels)
  t.strictSame(service?.spec.selector, deployment?.spec.selector.matchLabels)
})

t.test('both supervisors wait as long as the guide says', async (t) => {
  const guide = read('docs/guides/deploying.md')
  const [, drain, close] = /drainDelayMs: ([\d_]+), closeGraceMs: ([\d_]+)/.exec(guide) ?? []
  const stopMs = [drain, close].reduce((sum, text) => sum + Number(text?.replaceAll('_', '')), 0)
  const [, timeout] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  t.ok(stopMs > 0 && Number(timeout) * 1000 > stopMs, `TimeoutStopSec ${timeout}, ${stopMs} ms`)
  t.ok(pod.terminationGracePeriodSeconds * 1000 > stopMs)
})

const verifier = spawnSync('systemd-analyze', ['--version'])
const unable = verifier.status === 0 ? null : 'NOT TESTED: systemd-analyze is not installed'
if (unable !== null) process.stderr.write(`${unable}\n`)

t.test('systemd takes the unit as it is', async (t) => {
  if (unable !== null) return t.plan(0, unable)
  const folder = t.testdir({ 'app.service': unit.replace('/usr/bin/node', process.execPath) })
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'app.service')], {
    encoding: 'utf8'
  })
  t.equal(status, 0, stderr)
  t.equal(stdout + stderr, '')
  const wrong = t.testdir({ 'app.service': unit.replace('ProtectHome=yes', 'ProtectHom=yes') })
  t.match(
    spawnSync('systemd-analyze', ['verify', join(wrong, 'app.service')], { encoding: 'utf8' }).stderr,
    'ProtectHom'
  )
})
