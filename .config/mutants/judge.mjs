/** Runs test files of a package over its mutants, a few processes at a time. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

const HOOK = new URL('./hook.mjs', import.meta.url).href

/** A test that takes longer without a mutant runs too often here. */
const LONGEST_MS = 30_000

export class Judge {
  #node
  #folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  #modules

  constructor(node, modules) {
    this.#node = node
    this.#modules = join(this.#folder, 'modules.json')
    writeFileSync(this.#modules, JSON.stringify(modules))
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Which mutants each file reaches, and how long it takes. A file that fails or takes long without a mutant is left out. */
  async reach(files) {
    const runs = await inParallel(files, async (file, index) => {
      const reached = join(this.#folder, `reached-${index}.json`)
      const begun = performance.now()
      const passed = await this.#run(file, { MUTANTS_REACHED: reached }, LONGEST_MS)
      const ids = passed && existsSync(reached) ? JSON.parse(readFileSync(reached, 'utf8')) : []
      return { file, ms: performance.now() - begun, ids: new Set(ids), passed }
    })
    return runs.sort((a, b) => a.ms - b.ms)
  }

  /** @param runs of `reach` @returns for each mutant the file that kills it, `null` where all pass, `undefined` where none reaches it */
  verdicts(mutants, runs) {
    return inParallel(mutants, async ({ id }) => {
      const reaching = runs.filter(({ ids }) => ids.has(id))
      if (reaching.length === 0) return undefined
      for (const { file, ms } of reaching) {
        if (!(await this.#run(file, { MUTANTS_ACTIVE: id }, ms * 5 + 5000))) return file
      }
      return null
    })
  }

  /** Whether it passes. A mutant that hangs fails. */
  #run(file, env, timeoutMs) {
    return new Promise((resolve) => {
      const child = spawn(this.#node, ['--import', HOOK, file], {
        env: { ...process.env, MUTANTS_MODULES: this.#modules, TAP_BAIL: '1', NODE_NO_WARNINGS: '1', ...env },
        stdio: 'ignore',
        detached: true
      })
      const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs)
      child.on('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      })
    })
  }
}

/** As many at a time as the machine has processors; answers in the order of the items. */
async function inParallel(items, work) {
  const answers = new Array(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      answers[index] = await work(items[index], index)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return answers
}
