/**
 * Measures the cold start of applications, as they are installed and built, beside Fastify alone with as many routes:
 * process start to first answer, where the time goes, and the memory then. Processes of both sides take turns.
 *
 *   npm run bench -- start             # 15 rounds of every preset
 *   npm run bench -- start 40 minimal  # more of one
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sharesOf } from './by-package.ts'
import { installApps, PRESETS } from './installed-apps.ts'
import { type Server, type Start, startOnce } from './start-process.ts'

const RAW = fileURLToPath(new URL('./raw-server.js', import.meta.url))
const rounds = Number(process.argv[2] ?? 15)
const wanted = process.argv[3] ?? ''
const parent = await mkdtemp(join(tmpdir(), 'svc-bench-start-'))

try {
  const apps = await installApps(parent)
  console.log(`Node ${process.versions.node}, ${rounds} rounds\n`)
  for (const preset of PRESETS.filter((name) => name.includes(wanted))) {
    await measure(apps.get(preset) as Server)
  }
} finally {
  await rm(parent, { recursive: true, force: true })
}

async function measure(app: Server): Promise<void> {
  // The first start makes what later ones find: tables, keys.
  await startOnce(app)
  const { routes, loads } = await startOnce(app, [], { BENCH_START: 'loads' })
  const raw: Server = { name: 'raw Fastify', script: [RAW, String(routes)], cwd: app.cwd }
  const cache = (side: string): Record<string, string> => ({ NODE_COMPILE_CACHE: join(parent, 'cache', side) })
  const sides = [
    { name: raw.name, server: raw, env: {} },
    { name: app.name, server: app, env: {} },
    { name: `${raw.name}, compile cache`, server: raw, env: cache('raw') },
    { name: `${app.name}, compile cache`, server: app, env: cache(app.name) }
  ]
  const starts = sides.map((): Start[] => [])
  for (let round = -1; round < rounds; round += 1) {
    const order = [...sides.keys()]
    for (const side of round % 2 === 0 ? order : order.reverse()) {
      const { server, env } = sides[side] as (typeof sides)[number]
      const start = await startOnce(server, [], env)
      // The round before the first fills the caches.
      if (round >= 0) starts[side]?.push(start)
    }
  }
  console.log(`## ${app.name}, ${routes} routes, ${loads.length} files\n`)
  printSides(
    sides.map(({ name }) => name),
    starts
  )
  printPackages(await profileOf(app), loads)
}

function printSides(names: readonly string[], starts: readonly Start[][]): void {
  console.log('| | wall, ms | CPU, ms | least CPU | to Fastify made | ready | listening | answered | resident, MiB |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  names.forEach((name, side) => {
    const of = (read: (start: Start) => number): number[] => (starts[side] ?? []).map(read)
    const part = (from: keyof Start['cpu'] | null, to: keyof Start['cpu']): string =>
      median(of(({ cpu }) => cpu[to] - (from === null ? 0 : cpu[from]))).toFixed(1)
    const total = of(({ cpu }) => cpu.answered)
    const figures = [
      median(of(({ wall }) => wall)).toFixed(0),
      median(total).toFixed(1),
      Math.min(...total).toFixed(1),
      part(null, 'made'),
      part('made', 'ready'),
      part('ready', 'listening'),
      part('listening', 'answered'),
      median(of(({ resident }) => resident)).toFixed(1)
    ]
    console.log(`| ${name} | ${figures.join(' | ')} |`)
  })
  for (const side of [0, 2]) {
    const ratios = (read: (start: Start) => number): string => {
      const [raw = [], ours = []] = [starts[side], starts[side + 1]].map((each) => each?.map(read))
      const pairs = ours.map((own, round) => own / (raw[round] ?? Number.NaN)).sort((a, b) => a - b)
      return `${median(pairs).toFixed(2)} (lowest eighth ${pairs[Math.floor(pairs.length / 8)]?.toFixed(2)})`
    }
    const which = side === 0 ? '' : ', both with a compile cache'
    console.log(`\nratio${which}: CPU ${ratios(({ cpu }) => cpu.answered)}, wall ${ratios(({ wall }) => wall)}`)
  }
}

async function profileOf(app: Server): Promise<Parameters<typeof sharesOf>[0]> {
  const folder = await mkdtemp(join(parent, 'profile-'))
  await startOnce(app, ['--cpu-prof', '--cpu-prof-interval', '100', '--cpu-prof-dir', folder])
  const [file = ''] = await readdir(folder)
  return JSON.parse(await readFile(join(folder, file), 'utf8'))
}

/** A profiled start takes longer than others: these figures compare with each other only. */
function printPackages(profile: Parameters<typeof sharesOf>[0], loads: readonly string[]): void {
  console.log('\n| package | files | ms in its code | ms in what it calls too |\n|---|---:|---:|---:|')
  const shares = [...sharesOf(profile, loads)].sort(([, a], [, b]) => b.inclusive - a.inclusive)
  for (const [name, { files, exclusive, inclusive }] of shares) {
    if (files > 4 || inclusive >= 1) {
      console.log(`| ${name} | ${files} | ${exclusive.toFixed(1)} | ${inclusive.toFixed(1)} |`)
    }
  }
  console.log()
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
