/**
 * Measures applications side by side: cold start, server CPU per request, memory. Rounds are interleaved. The servers are
 * started several times, as one process differs from the next by more than one round from another.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignShare, machineTime } from '../measured/foreign-load.ts'
import { eachInTurn } from '../measured/in-turn.ts'
import { ask, load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'
import { type CASES, CHECKS, type Credentials, PUBLIC, presenting } from './cases.ts'
import { quietest, type Sample, Samples } from './samples.ts'
import { installServers, type Server } from './servers.ts'

export interface Plan {
  /** In all, shared by the starts. */
  readonly rounds: number
  /** Of each round. */
  readonly requests: number
  readonly cases: typeof CASES
}

export interface Measured {
  readonly servers: readonly Server[]
  readonly samples: Samples
}

interface Running {
  readonly server: Server
  readonly child: MeasuredChild
  readonly credentials: Credentials
}

const STARTS = 3

export async function measure(plan: Plan): Promise<Measured> {
  const samples = new Samples()
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-peers-'))
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const servers = await installServers(folder)
    for (let round = 0; round < plan.rounds; round += 1) {
      await eachInTurn(servers, round, async (server) => coldStart(server, samples))
    }
    const share = Math.ceil(plan.rounds / STARTS)
    for (let first = 0; first < plan.rounds; first += share) {
      await measureStart(servers, { ...plan, first, end: Math.min(plan.rounds, first + share) }, samples)
    }
    return { servers, samples }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Share = Pick<Plan, 'requests' | 'cases'> & { readonly first: number; readonly end: number }

/** The rounds of one start of all servers. */
async function measureStart(
  servers: readonly Server[],
  { requests, cases, first, end }: Share,
  samples: Samples
): Promise<void> {
  const running: Running[] = []
  try {
    for (const server of servers) running.push(await start(server))
    for (const scenario of cases) {
      for (const { child, credentials } of running) await cost(child, presenting(scenario, credentials), requests)
    }
    for (let round = first; round < end; round += 1) {
      for (const scenario of cases) {
        await eachInTurn(running, round, async ({ server, child, credentials }) => {
          const sample = await quietest(() => cost(child, presenting(scenario, credentials), requests))
          samples.add(server.name, scenario.name, sample)
        })
      }
    }
    for (const { server, child } of running) {
      samples.add(server.name, 'RSS after load', { value: megabytes((await child.read()).rssBytes), foreign: null })
    }
  } finally {
    await Promise.all(running.map(({ child }) => child.stop()))
  }
}

/** Starts, checks that it accepts and refuses as the others do, and asks for what the load is to present. */
async function start(server: Server): Promise<Running> {
  const child = await MeasuredChild.start(server.file)
  try {
    const answer = await fetch(`http://127.0.0.1:${child.port}/public/credentials`)
    const credentials = (await answer.json()) as Credentials
    for (const check of CHECKS) await ask(child.port, presenting(check, credentials))
    return { server, child, credentials }
  } catch (error) {
    await child.stop()
    throw new Error(`${server.name} does not answer as it has to`, { cause: error })
  }
}

/** From the start of the process to its first answer. */
async function coldStart(server: Server, samples: Samples): Promise<void> {
  const { value, cpu, rss, foreign } = await quietest(async () => {
    const before = { machine: machineTime(), own: ownCpu(), ms: performance.now() }
    const child = await MeasuredChild.start(server.file)
    try {
      await ask(child.port, PUBLIC)
      const value = performance.now() - before.ms
      const { cpuUs, rssBytes } = await child.read()
      const foreign = foreignShare(before.machine, machineTime(), ownCpu() - before.own + cpuUs)
      return { value, cpu: cpuUs / 1000, rss: megabytes(rssBytes), foreign }
    } finally {
      await child.stop()
    }
  })
  samples.add(server.name, 'cold start', { value, foreign })
  samples.add(server.name, 'cold start, CPU', { value: cpu, foreign })
  samples.add(server.name, 'RSS at start', { value: rss, foreign })
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario, requests: number): Promise<Sample> {
  const before = { machine: machineTime(), own: ownCpu(), child: await child.read() }
  await load(child.port, scenario, requests)
  const childUs = (await child.read()).cpuUs - before.child.cpuUs
  const foreign = foreignShare(before.machine, machineTime(), childUs + ownCpu() - before.own)
  return { value: childUs / requests, foreign }
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function megabytes(bytes: number): number {
  return bytes / 1_048_576
}
