/**
 * Measures what a newcomer waits for, on the real command and the real template:
 * help, create, boot in development and production, and edit to new response;
 * then once more with security, webhooks and SQLite in the application.
 * Prints a Markdown table of medians over five runs.
 *
 *   npm run bench -- first-hour
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/ports.ts'
import { Running, repository, svc, svcBin } from '../../support/svc-command.ts'
import { growApp } from './grown-app.ts'

const ROUNDS = 5
const parent = await mkdtemp(join(tmpdir(), 'svc-bench-'))
const shop = join(parent, 'shop')

try {
  const rows = [
    await row('svc --help', '<= 120 ms', () => ended(['--help'])),
    await row('svc create app, without install', '<= 600 ms', async () => {
      await rm(shop, { recursive: true, force: true })
      return await ended(['create', 'app', 'shop'])
    })
  ]
  await symlink(join(repository, 'node_modules'), join(shop, 'node_modules'))
  rows.push(...(await waits('as created')))
  await growApp(shop)
  rows.push(...(await waits('grown')))
  process.stdout.write(`Node ${process.versions.node}, median of ${ROUNDS}\n\n`)
  process.stdout.write(`| step | median | least - most | budget |\n|---|---:|---:|---:|\n${rows.join('\n')}\n`)
} finally {
  await rm(parent, { recursive: true, force: true })
}

/** What its author waits for, of the application as it is now. */
async function waits(app: string): Promise<string[]> {
  await ended(['build'], shop)
  return [
    await row(`svc routes, ${app}`, '<= 1000 ms', () => ended(['routes'], shop)),
    await row(`svc dev to the first 200, ${app}`, '<= 1000 ms', () => boot(['dev'])),
    await row(`built application to the first 200, ${app}`, '<= 1000 ms', () => boot(['start'])),
    await edits(app)
  ]
}

async function row(name: string, budget: string, measure: () => Promise<number>): Promise<string> {
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) samples.push(await measure())
  return tableRow(name, budget, samples)
}

function tableRow(name: string, budget: string, samples: number[]): string {
  const sorted = [...samples].sort((a, b) => a - b)
  const [least = 0, median = 0, most = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `| ${name} | ${median.toFixed(0)} ms | ${least.toFixed(0)} - ${most.toFixed(0)} | ${budget} |`
}

/** Milliseconds a command takes to its end. */
async function ended(args: readonly string[], cwd = parent): Promise<number> {
  const began = performance.now()
  const { code, stderr } = await svc(args, { cwd })
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}: ${stderr}`)
  return performance.now() - began
}

/** Milliseconds from the start of the process to its first 200. */
async function boot(args: readonly string[]): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const running = start(args, port)
  try {
    await answers(port, () => true)
    return performance.now() - began
  } finally {
    await running.stop()
  }
}

async function edits(app: string): Promise<string> {
  const port = await freePort()
  const running = start(['dev'], port)
  try {
    await answers(port, () => true)
    // The type check that follows a boot has two cores to share with what is measured.
    await new Promise((resume) => setTimeout(resume, 3000))
    const file = join(shop, 'controllers/hello.ts')
    const text = await readFile(file, 'utf8')
    const samples: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now()
      await writeFile(file, text.replace("hello: 'world'", `hello: 'edit ${round}'`))
      await answers(port, (body) => body.includes(`edit ${round}`))
      samples.push(performance.now() - began)
      await new Promise((resume) => setTimeout(resume, 1500))
    }
    await writeFile(file, text)
    return tableRow(`svc dev, edit to new response, ${app}`, '<= 300 ms', samples)
  } finally {
    await running.stop()
  }
}

function start(args: readonly string[], port: number): Running {
  return new Running(process.execPath, [svcBin, ...args], { cwd: shop, env: { PORT: String(port) } })
}

/** Asks until the answer is the wanted one; bounded to 30 s. */
async function answers(port: number, wanted: (body: string) => boolean): Promise<void> {
  const until = performance.now() + 30_000
  while (performance.now() < until) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/hello`)
      const body = await answer.text()
      if (answer.status === 200 && wanted(body)) return
    } catch {
      // Not listening yet.
    }
    await new Promise((resume) => setTimeout(resume, 2))
  }
  throw new Error('no such answer within 30 s')
}
