/**
 * Decorators that a plugin declares for every application, and has a value for only where its options ask for one.
 * Elsewhere reading one throws the plugin's own error, which names the option, instead of leaving the application
 * with `undefined` where the types promise a value. `hasDecorator` sees both alike; `decoratorOf` distinguishes them.
 */
import type { FastifyInstance } from 'fastify'

/** Shared by all copies of this package in a process: the command line brings its own. */
const OFF = Symbol.for('svc.decorator-off')

/**
 * Decorates with a refusal. What the application itself decorated under this name is kept, and a scope below may still
 * decorate it again.
 * @param refusal makes the error; called each time the decorator is read
 */
export function decorateOff(
  fastify: FastifyInstance,
  name: keyof FastifyInstance & string,
  refusal: () => Error
): void {
  if (fastify.hasDecorator(name)) return
  const getter = (): never => {
    throw refusal()
  }
  const setter = function (this: FastifyInstance, value: unknown): void {
    Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
  }
  fastify.decorate(name as string, { getter: Object.assign(getter, { [OFF]: true }), setter })
}

/** @returns `null` where the decorator is switched off, or its plugin is not registered (yet) */
export function decoratorOf<Instance extends object, Name extends keyof Instance & string>(
  fastify: Instance,
  name: Name
): Instance[Name] | null {
  for (let scope: object | null = fastify; scope !== null; scope = Object.getPrototypeOf(scope)) {
    const found = Object.getOwnPropertyDescriptor(scope, name)
    if (found !== undefined) return found.get !== undefined && OFF in found.get ? null : fastify[name]
  }
  return null
}
