/**
 * Both builds in one process, so that whatever the machine does meets both. There are several such processes, half of them
 * for each order of loading, as the compiler may treat one build better in one process, the other in the next. What does
 * not hold is measured again, all processes together, up to three times, before it is called slower or unsettled.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CASES } from './in-process-cases.ts'
import { type Pair, type Verdict, verdictOf } from './verdict.ts'

const SITTINGS = 3
/** Of each sitting; even, so that each order of loading comes as often. */
const PROCESSES = 6
const NAME = 'in process: '

export interface InProcessPlan {
  /** Folders of the two checkouts. */
  readonly before: string
  readonly now: string
  /** Pairs of batches per process. */
  readonly pairs: number
  /** How much may be lost, as a share. */
  readonly allowed: number
}

interface Measured {
  readonly name: string
  readonly pairs: ReadonlyArray<readonly [first: number, second: number]>
}

/** @returns names of the cases that have the word in them */
export function inProcessCases(word: string): string[] {
  return CASES.map(({ name }) => name).filter((name) => `${NAME}${name}`.includes(word))
}

export async function compareInProcess(names: readonly string[], plan: InProcessPlan): Promise<Map<string, Verdict>> {
  const processes = new Map<string, Pair[][]>(names.map((name) => [name, []]))
  const verdicts = new Map<string, Verdict>()
  let open = names
  for (let sitting = 0; sitting < SITTINGS && open.length > 0; sitting += 1) {
    for (let turn = 0; turn < PROCESSES; turn += 1) await addProcess(processes, open, plan, turn % 2 === 1)
    for (const name of open) verdicts.set(name, verdictOf(processes.get(name) ?? [], plan.allowed))
    open = open.filter((name) => verdicts.get(name)?.outcome !== 'holds')
  }
  return verdicts
}

async function addProcess(
  processes: ReadonlyMap<string, Pair[][]>,
  names: readonly string[],
  { before, now, pairs }: InProcessPlan,
  turned: boolean
): Promise<void> {
  for (const { name, pairs: taken } of await oneProcess(turned ? [now, before] : [before, now], pairs, names)) {
    processes
      .get(name)
      ?.push(taken.map(([first, second]) => (turned ? { before: second, now: first } : { before: first, now: second })))
  }
}

function oneProcess(folders: readonly string[], pairs: number, names: readonly string[]): Promise<Measured[]> {
  const measured: Measured[] = []
  const child = fork(fileURLToPath(new URL('in-process-child.js', import.meta.url)), [
    ...folders,
    String(pairs),
    ...names
  ])
  child.on('message', (message) => measured.push(message as Measured))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve(measured)
      else reject(new Error(`the process with both builds ended with ${code}`))
    })
  })
}

/** A Markdown table of the verdicts. */
export function inProcessTable(verdicts: ReadonlyMap<string, Verdict>): string {
  const rows = [...verdicts].map(([name, { median, lowestEighth, spread, outcome }]) => {
    const figures = [median, lowestEighth].map((ratio) => ratio.toFixed(3))
    const range = spread.map((ratio) => ratio.toFixed(2)).join('-')
    return `| ${[name, ...figures, range, outcome === 'holds' ? '' : outcome].join(' | ')} |`
  })
  const head = '| in process: now / before | median | lowest eighth | middle half | |\n|---|---:|---:|---:|---|'
  return [head, ...rows].join('\n')
}
