/**
 * Preloaded into a process of tests: its modules come from `MUTANTS_MODULES`, a JSON of instrumented texts by file address.
 * `MUTANTS_ACTIVE` is the mutant that lives; without it, the process writes the mutants that it reached to `MUTANTS_REACHED`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const { MUTANTS_MODULES, MUTANTS_ACTIVE, MUTANTS_REACHED } = process.env
const modules = JSON.parse(readFileSync(MUTANTS_MODULES, 'utf8'))
const state = { activeMutant: MUTANTS_ACTIVE, mutantCoverage: undefined }
// The name under which the instrumenter looks for it.
globalThis.__stryker__ = state

registerHooks({
  load(url, context, next) {
    const source = modules[url]
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  }
})

if (MUTANTS_REACHED !== undefined) {
  process.on('exit', () => {
    writeFileSync(MUTANTS_REACHED, JSON.stringify(Object.keys(state.mutantCoverage?.static ?? {})))
  })
}
