/**
 * The steps of the Dockerfile of a new application, without Docker: what it copies is laid in an empty folder and run as
 * pid 1, without privileges, on a mount that is read-only; a signal stops it, and no request under load is lost.
 * In the long run: it lays down the production dependencies of an application and waits for a drain.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { stagesOf, textsOf } from '../support/container-file.ts'
import { Shop, temporaryFolder } from '../support/shop.ts'
import { Running, run } from '../support/svc-command.ts'

const DRAIN_MS = 2500

/** Answers before the signal. */
const WARM = 200

/** Runs its arguments as pid 1 of namespaces of its own, as a user without privileges, in a folder that is read-only. */
const CONTAINER = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" || exit 90
touch dist/written 2>/dev/null && exit 91
exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all "$@"`
const ISOLATED = ['--mount', '--pid', '--fork', '--mount-proc', 'sh', '-c', CONTAINER]

/** What this machine lacks; `null` where it can isolate a process. */
function lacking(): string | null {
  try {
    execFileSync('unshare', [...ISOLATED, '/usr', 'true'], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `NOT TESTED: a container without Docker needs root, unshare and setpriv: ${(error as Error).message}`
  }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Production dependencies, as `npm ci` and `npm prune --omit=dev` leave them. */
async function installProduction(app: string, target: string): Promise<void> {
  const packages = join(app, 'node_modules')
  const laid = new Set<string>()
  const lay = async (from: string): Promise<void> => {
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(from, 'package.json'), 'utf8')
    ) as Manifest
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
      const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(join(path, 'package.json')))
      if (found === undefined || laid.has(found)) continue
      laid.add(found)
      const isLaid = (path: string) => !/^\/(?:node_modules|test|dist\/test)(?:\/|$)/.test(path.slice(found.length))
      await cp(found, join(target, relative(packages, found)), { recursive: true, dereference: true, filter: isLaid })
      await lay(found)
    }
  }
  await lay(app)
}

/** The image: the build stage is run in the application, what the last stage copies is laid into a folder. */
async function image(t: Test, shop: Shop): Promise<{ folder: string; env: Record<string, string>; command: string[] }> {
  const [build = [], last = []] = stagesOf(await shop.read('Dockerfile'))
  t.strictSame(textsOf(build, 'RUN'), ['npm ci', 'npm run build', 'npm prune --omit=dev'])
  const built = await run('npm', ['run', 'build'], { cwd: shop.folder })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const folder = join(await temporaryFolder(t), 'app')
  await mkdir(folder)
  await chmod(dirname(folder), 0o755)
  for (const text of textsOf(last, 'COPY')) {
    const [, from = '', to = ''] = /^--from=build \/app\/(\S+) (\S+)$/.exec(text) ?? []
    if (from === 'node_modules') await installProduction(shop.folder, join(folder, to))
    else await cp(shop.path(from), join(folder, to.endsWith('/') ? to + from : to), { recursive: true })
  }
  t.match(textsOf(last, 'USER'), ['node'], 'not root')
  const [command = '[]'] = textsOf(last, 'CMD')
  const env = Object.fromEntries(textsOf(last, 'ENV').map((text) => text.split('=') as [string, string]))
  return { folder, env, command: JSON.parse(command) as string[] }
}

interface Answer {
  readonly status: number | undefined
  readonly body: string
}

function ask(agent: Agent, port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ agent, port, path, host: '127.0.0.1' }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      answer.on('end', () => resolve({ status: answer.statusCode, body })).on('error', reject)
    }).on('error', reject)
  })
}

/** Clients behind a balancer: they ask on until readiness has failed a few times. @param signal called once they are at it @returns how often they were answered */
async function load(port: number, clients: number, signal: () => void): Promise<number> {
  let count = 0
  const balancer = new Agent({ keepAlive: true })
  let isReady = true
  const watch = async (): Promise<void> => {
    for (let failures = 0; failures < 20; ) {
      if ((await ask(balancer, port, '/svc/ops/health/ready')).status !== 200) failures += 1
    }
    isReady = false
    balancer.destroy()
  }
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (isReady) {
      const { status, body } = await ask(agent, port, '/api/hello')
      if (status !== 200) throw new Error(`${status} ${body}`)
      count += 1
      if (count === WARM) signal()
    }
    agent.destroy()
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, client)])
  return count
}

const unable = lacking()
if (unable !== null) process.stderr.write(`${unable}\n`)

t.test('a new application in a container: built, isolated, drained', async (t) => {
  if (unable !== null) return t.plan(0, unable)
  const shop = await Shop.create(t)
  t.match((await shop.svc('module:add', 'ops')).stdout, /svc-ops/)
  // In the place of that install.
  await shop.edit('package.json', '"svc-security"', '"svc-ops": "^0.1.0",\n    "svc-security"')
  await shop.edit('svc.config.ts', 'port: env.PORT }', `port: env.PORT, drainDelayMs: ${DRAIN_MS} }`)
  const { folder, env, command } = await image(t, shop)
  t.equal(command[0], 'node', 'no shell in front')
  const args = [...ISOLATED, folder, process.execPath, ...command.slice(1)]
  const container = new Running('unshare', args, {
    cwd: '/',
    env: { ...env, HOST: '127.0.0.1', PORT: String(shop.port) }
  })
  t.teardown(() => container.stop('SIGKILL'))
  await container.shows(/Server listening at/)
  const server = Number(await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8'))
  const identity = await readFile(`/proc/${server}/status`, 'utf8')
  t.match(identity, /^Uid:\t65534\t65534\t65534/m)
  t.match(identity, /^NSpid:\t\d+\t1$/m, 'it is pid 1, with no shell in front')
  t.match(identity, /^CapEff:\t0+$/m)
  const answered = await load(shop.port, 8, () => process.kill(server, 'SIGTERM'))
  t.ok(answered > WARM, `${answered} requests, each answered`)
  const { code, stdout, stderr } = await container.finished()
  t.equal(code, 0, stderr)
  t.equal(stderr, '')
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.ok(lines.every(({ pid, level, time }) => pid === 1 && typeof level === 'number' && typeof time === 'number'))
  t.match(stdout, `answers requests for another ${DRAIN_MS} ms`)
  const logged = lines.filter(({ msg, route }) => msg === 'request completed' && route === '/api/hello')
  t.equal(logged.length, answered, 'one line for each')
  t.ok(logged.every(({ statusCode }) => statusCode === 200))
})

t.test('the health check of the image asks the server that runs', async (t) => {
  const shop = await Shop.create(t)
  const [, last = []] = stagesOf(await shop.read('Dockerfile'))
  const [check = ''] = textsOf(last, 'HEALTHCHECK')
  const [, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[]
  const checked = () => run(process.execPath, args, { cwd: shop.folder, env: { PORT: String(shop.port) } })
  t.equal((await checked()).code, 1, 'nobody answers')
  const dev = await shop.dev()
  t.equal((await checked()).code, 0)
  await dev.stop()
})
