/** `svc docs <words>`: everyday questions, and the page that answers each, by hand. */
import t from 'tap'
import { readPages } from '../../src/inspect/pages.ts'
import { searchOf } from '../../src/inspect/search-docs.ts'
import { sandbox } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

/** Any page after a question is an answer; one of them has to be among the first three hits. */
const ANSWERS: Record<string, readonly string[]> = {
  upload: ['uploads-and-streams'],
  'upload a file': ['uploads-and-streams'],
  postgres: ['choosing-stores', 'svc-sqlorm'],
  sqlite: ['choosing-stores', 'svc-sqlorm'],
  mongodb: ['documents'],
  redis: ['svc-bullmq', 'svc-realtime', 'several-instances'],
  deploy: ['running-in-production'],
  kubernetes: ['running-in-production'],
  'load balancer': ['running-in-production'],
  proxy: ['running-in-production'],
  'graceful shutdown': ['running-in-production'],
  openapi: ['svc-openapi'],
  swagger: ['svc-openapi'],
  https: ['developing'],
  cors: ['cross-origin'],
  csrf: ['logging-in', 'cross-origin'],
  login: ['logging-in'],
  cookies: ['logging-in', 'sessions'],
  password: ['accounts', 'managing-users', 'logging-in'],
  'reset a password': ['logging-in', 'managing-users'],
  oauth: ['identity-providers'],
  passkeys: ['second-factors'],
  'two factor authentication': ['second-factors'],
  'api keys': ['tokens'],
  jwt: ['tokens'],
  'how do I explain a 403?': ['explaining-refusals'],
  'role hierarchy': ['securing-routes'],
  'audit log': ['svc-audit'],
  'health checks': ['svc-ops'],
  metrics: ['svc-ops'],
  websockets: ['websocket-routes'],
  'push to clients': ['realtime'],
  migrations: ['first-migration', 'migrations-operations', 'changing-entities'],
  'rename a column': ['changing-entities'],
  'without downtime': ['zero-downtime'],
  transaction: ['transactions'],
  pagination: ['paging'],
  'full text search': ['finding-rows'],
  'soft delete': ['row-lifecycle'],
  relations: ['relations'],
  'seed data': ['seeds'],
  'unit tests': ['svc-test'],
  'environment variables': ['configuration'],
  'hot reload': ['developing', 'svc-cli'],
  'dependency injection': ['controller-services'],
  zod: ['schema-libraries', 'validation'],
  'status code': ['answers-and-errors'],
  'verify a signature in Python': ['verifying-webhooks'],
  'retry a webhook': ['webhooks', 'webhooks-operations'],
  prisma: ['coming-from-prisma'],
  'body limit': ['uploads-and-streams'],
  encrypt: ['security'],
  cache: ['caching-reads'],
  'admin panel': ['console']
}

t.test('an everyday question finds its page among the first three', async (t) => {
  const { find } = searchOf(readPages())
  for (const [question, answers] of Object.entries(ANSWERS)) {
    const found = find(question).map(({ page }) => page)
    t.ok(
      found.slice(0, 3).some((page) => answers.includes(page)),
      `${question}: ${found.join(', ')}`
    )
    t.equal(new Set(found).size, found.length, 'a page appears once')
  }
})

t.test('what a hit shows, for people and for programs', async (t) => {
  const cwd = sandbox(t)
  const { code, stdout } = await runSvc(['docs', 'soft', 'delete'], { cwd })
  t.equal(code, 0)
  t.match(stdout, /^\S.*\n {2}\S.*\n {2}npx svc docs row-lifecycle$/m, 'title, a line of the section, the command')
  const { hits } = JSON.parse((await runSvc(['docs', 'soft', 'delete', '--json'], { cwd })).stdout)
  t.ok(hits.some(({ page }: { page: string }) => page === 'row-lifecycle'))
  for (const hit of hits) {
    t.same(Object.keys(hit).sort(), ['heading', 'line', 'page', 'title'])
    t.match((await runSvc(['docs', hit.page], { cwd })).stdout, `# ${hit.title}\n`, 'the command prints the page')
  }
})

t.test('the short name of a package is its page, where no guide has that name', async (t) => {
  const cwd = sandbox(t)
  t.match((await runSvc(['docs', 'orm'], { cwd })).stdout, /^# svc-orm\n/)
  t.match((await runSvc(['docs', 'webhooks'], { cwd })).stdout, /^# Webhooks\n/)
  t.equal(JSON.parse((await runSvc(['docs', 'orm', '--json'], { cwd })).stdout).name, 'svc-orm')
})

t.test('a word that no page has', async (t) => {
  const cwd = sandbox(t)
  const { code, stderr } = await runSvc(['docs', 'pasword'], { cwd })
  t.equal(code, 2)
  t.match(stderr, /did you mean password\?[\s\S]*fix: npx svc docs password/)
  t.equal((await runSvc(['docs', 'SVC_UPLOAD'], { cwd })).code, 2, 'a code that does not exist is not a question')
})
