/**
 * Gives an error that no promise of a test carries, such as one thrown in a timer, to the test whose work threw it:
 * `--import` this before a test. tap finds the test with hooks that see every promise of the process, which take up to
 * a third of the time; the async context of Node finds it without them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const REPLACED = 'async-hook-domain'
const ADDRESS = `${REPLACED}:`
const running = new AsyncLocalStorage()

// Threads that a test starts inherit `--import`, and have no tests.
if (isMainThread) {
  globalThis[Symbol.for(ADDRESS)] = class Domain {
    ended = false

    constructor(onerror) {
      this.onerror = onerror
    }

    destroy() {
      this.ended = true
    }
  }
  registerHooks({ resolve, load })
  const { default: tap } = await import('tap')
  tap.hook.constructor.prototype.runInAsyncScope = function (work, self, ...given) {
    return running.run(this.test, () => Reflect.apply(work, self, given))
  }
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    // The code that is tested has a handler of its own.
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return
    openTest(running.getStore() ?? tap).hookDomain.onerror(error, origin)
    process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
  })
}

function resolve(specifier, context, next) {
  return specifier === REPLACED ? { url: ADDRESS, format: 'module', shortCircuit: true } : next(specifier, context)
}

function load(url, context, next) {
  if (url !== ADDRESS) return next(url, context)
  const source = `export const Domain = globalThis[Symbol.for('${ADDRESS}')]`
  return { source, format: 'module', shortCircuit: true }
}

/** @returns the test, or the nearest around it that has not ended */
function openTest(test) {
  return test.hookDomain.ended && test.parent ? openTest(test.parent) : test
}
