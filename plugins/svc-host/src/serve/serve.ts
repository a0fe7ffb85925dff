/** Runs an application as its own server: boot, listen, and stop without cutting requests. */
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'
import { formatProblems, terminalPaint } from 'svc-kernel/host'
import { problemsOf } from 'svc-kernel/plugin'
import type { Application } from '../application/application.ts'
import { httpsTarget, listenTarget, stopTimes } from '../config/define-config.ts'
import { locateProblems } from '../config/locate-problems.ts'
import { DevLog } from '../logging/dev-log.ts'
import { readsDevLog } from '../logging/logging.ts'
import { createServer } from '../server/http.ts'
import { attachTls, type TlsListener } from '../tls/tls-listener.ts'
import { watchUnhandled } from './last-resort.ts'
import { listenProblem } from './listen-problem.ts'
import { banner } from './start-banner.ts'
import { GracefulStop } from './stop.ts'

/** Prints problems to standard error in the one shape, and ends the process with exit code 1. */
export function refuseToStart(problems: readonly Problem[]): never {
  process.stderr.write(`${formatProblems(problems, terminalPaint(process.stderr))}\n`)
  process.exit(1)
}

/**
 * Boots and listens. Problems are printed and end the process with code 1.
 * SIGINT and SIGTERM finish what runs, within `server.closeGraceMs` after `server.drainDelayMs`; a second signal exits at
 * once. An error that nothing handles is logged and recorded, and ends the process in the same way with code 1.
 *
 * @param command how it was started, for the hints: `npm start`
 */
export async function serve(app: Application, command = 'npm start'): Promise<FastifyInstance> {
  const old = nodeVersionProblem(process.versions.node)
  if (old !== null) refuseToStart([old])
  const devLog = new DevLog()
  const { fastify, tls } = await boot(app, devLog)
  // Before the ports open: a client that sees one open may stop the process.
  const stop = new GracefulStop(fastify, stopTimes(app))
  stop.onSignals()
  watchUnhandled(fastify, () => stop.fail())
  const urls = await openPorts(app, fastify, tls, command)
  if (readsDevLog(app.config)) process.stdout.write(`${banner(app, urls.join(' and '), devLog.warnings)}\n`)
  return fastify
}

interface Booted {
  readonly fastify: FastifyInstance
  readonly tls: TlsListener | undefined
}

async function boot(app: Application, devLog: DevLog): Promise<Booted> {
  try {
    return await locateProblems(app, async () => {
      const fastify = await createServer(app, { devLog })
      const tls = httpsTarget(app) === null ? undefined : await attachTls(fastify, app)
      await fastify.ready()
      return { fastify, tls }
    })
  } catch (error) {
    refuseToStart(problemsOf(error))
  }
}

async function openPorts(
  app: Application,
  fastify: FastifyInstance,
  tls: TlsListener | undefined,
  command: string
): Promise<string[]> {
  const plain = listenTarget(app)
  const secure = httpsTarget(app)
  let opening = plain
  try {
    const forPerson = readsDevLog(app.config)
    // The banner says where; the line of the log that says the same stays empty, and unseen.
    const urls = [await fastify.listen(forPerson ? { ...plain, listenTextResolver: () => '' } : plain)]
    if (tls !== undefined && secure !== null) {
      opening = secure
      urls.push(await tls.listen(secure))
      if (!forPerson) fastify.log.info(`Server listening at ${urls[1]}`)
    }
    return urls
  } catch (error) {
    await fastify.close()
    const problem = await listenProblem(error, opening, command)
    refuseToStart(problem === null ? problemsOf(error) : [problem])
  }
}

const NEEDED = 24

/** @param version such as `process.versions.node` */
export function nodeVersionProblem(version: string): Problem | null {
  const major = Number.parseInt(version, 10)
  if (major >= NEEDED) return null
  return {
    code: 'SVC_NODE_VERSION',
    message: `needs Node >= ${NEEDED}, running ${version}`,
    got: version,
    expected: `>= ${NEEDED}`,
    fix: `install Node ${NEEDED}`
  }
}
