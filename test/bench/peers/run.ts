/**
 * The same application by hand on Fastify, with svc, on NestJS, AdonisJS and Hono, beside the least that Fastify can do:
 * server CPU per request, cold start and memory, side by side. The least of the rounds counts.
 *
 *   npm run bench -- peers               9 rounds of 10000 requests
 *   npm run bench -- peers 3 3000        3 rounds of 3000
 *   npm run bench -- peers 9 10000 body  only the cases whose name has this word
 */
import { CASES } from './cases.ts'
import { measure } from './measure.ts'
import { report } from './report.ts'
import { versions } from './servers.ts'

const [rounds = 9, requests = 10_000] = process.argv.slice(2, 4).map(Number)
const cases = CASES.filter(({ name }) => name.includes(process.argv[4] ?? ''))
const { servers, samples } = await measure({ rounds, requests, cases })

const names = [servers.map(({ name }) => name), cases.map(({ name }) => name)] as const
console.log(
  `Node ${process.versions.node}, ${rounds} rounds of ${requests} requests; ${versions(servers).join(', ')}\n`
)
console.log(report(...names, samples))
