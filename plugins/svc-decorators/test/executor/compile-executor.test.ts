/** The executor: order of steps, and synchronous for as long as the controller is. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t from 'tap'
import type { ParameterDeclaration } from '../../src/declarations/declarations.ts'
import type { ControllerContext } from '../../src/executor/argument-readers.ts'
import { compileExecutor } from '../../src/executor/compile-executor.ts'

const server = {} as FastifyInstance
const request = {} as FastifyRequest
const context = { transport: 'HTTP' } as unknown as ControllerContext

type Run = (channel: string[]) => unknown

/** An executor whose channel is the log of what happened; reader n injects n. */
function executor(
  Class: new (server: FastifyInstance) => object,
  arity: number,
  kind: ParameterDeclaration['kind'] = 'query'
): Run {
  const parameters = Array.from({ length: arity }, () => ({
    kind,
    name: undefined,
    stream: false,
    binary: false,
    decorator: '',
    source: null
  }))
  const readers = parameters.map(
    (_parameter, index) => (_request: FastifyRequest, log: string[], given: ControllerContext | undefined) => {
      log.push(`read ${index}`)
      return given ?? index
    }
  )
  const execute = compileExecutor<string[]>({ Class, key: 'method', parameters }, readers, () => context)
  return (log) => execute(server, request, log)
}

class Echo {
  method(...args: unknown[]): unknown {
    return [this instanceof Echo, ...args]
  }
}

t.test('any number of arguments, in order, on the instance', async (t) => {
  for (const arity of [0, 1, 2, 3, 4, 7]) {
    const expected = Array.from({ length: arity }, (_, index) => index)
    const log: string[] = []
    t.strictSame(executor(Echo, arity)(log), [true, ...expected], `${arity}`)
    t.strictSame(
      log,
      expected.map((index) => `read ${index}`)
    )
  }
})

t.test('a new instance for each run, made with the Fastify instance', async (t) => {
  const seen: unknown[] = []
  class Counter {
    count = 0
    constructor(given: FastifyInstance) {
      seen.push(given)
    }

    method(): number {
      return ++this.count
    }
  }
  const run = executor(Counter, 0)
  t.strictSame([run([]), run([])], [1, 1])
  t.strictSame(seen, [server, server])
})

t.test('the context is made only where something asks for it', async (t) => {
  t.strictSame(executor(Echo, 1)([]), [true, 0])
  t.strictSame(executor(Echo, 1, 'context')([]), [true, context])
})

t.test('initialize runs first, with the context, and stays synchronous where it is', async (t) => {
  class Ready {
    ready: unknown = null
    initialize(given: unknown): void {
      this.ready = given
    }

    method(): unknown {
      return this.ready
    }
  }
  t.equal(executor(Ready, 0)([]), context)
})

t.test('an asynchronous initialize is awaited before arguments are read', async (t) => {
  class Slow {
    ready = false
    async initialize(): Promise<void> {
      await null
      this.ready = true
    }

    method(): boolean {
      return this.ready
    }
  }
  const log: string[] = []
  const pending = executor(Slow, 1)(log)
  t.type(pending, Promise)
  t.strictSame(log, [])
  t.equal(await pending, true)
  t.strictSame(log, ['read 0'])
})

t.test('what fails, fails as it is', async (t) => {
  const failure = new Error('no')
  class Failing {
    method(): void {
      throw failure
    }
  }
  class FailingLater {
    async method(): Promise<void> {
      throw failure
    }
  }
  class NotReady {
    async initialize(): Promise<void> {
      throw failure
    }

    method(): string {
      return 'never'
    }
  }
  t.throws(() => executor(Failing, 0)([]), failure)
  await t.rejects(executor(FailingLater, 0)([]) as Promise<unknown>, failure)
  await t.rejects(executor(NotReady, 0)([]) as Promise<unknown>, failure)
})

t.test('an inherited initialize counts', async (t) => {
  class Base {
    base = false
    initialize(): void {
      this.base = true
    }
  }
  class Derived extends Base {
    method(): boolean {
      return this.base
    }
  }
  t.equal(executor(Derived, 0)([]), true)
})
