/** A registry is open while modules load and closed once an application booted. */
import t from 'tap'
import { Registry, renewRegistries } from '../../src/plugin/registry.ts'

const SEALED = { code: 'SVC_KERNEL_REGISTRY_SEALED', statusCode: 500 }
const DUPLICATE = { code: 'SVC_KERNEL_DUPLICATE_NAME', statusCode: 500 }

t.test('names in the order of their registration, built-ins first', async (t) => {
  const registry = new Registry<number>('voter', [
    ['role', 1],
    ['scope', 2]
  ])
  registry.register('own', 3)
  t.same(registry.names(), ['role', 'scope', 'own'])
  t.equal(registry.get('own'), 3)
  t.equal(registry.get('nobody'), undefined)
  t.equal(registry.get('constructor'), undefined)
})

t.test('a name is taken once, also by a built-in', async (t) => {
  const registry = new Registry<number>('voter', [['role', 1]])
  registry.register('own', 2)
  t.throws(() => registry.register('own', 3), { ...DUPLICATE, message: 'a voter named "own" is registered already' })
  t.throws(() => registry.register('role', 3), DUPLICATE)
  t.equal(registry.get('role'), 1)
  t.equal(registry.get('own'), 2)
})

t.test('closed while an application is open, open again after the last one closed', async (t) => {
  const registry = new Registry<number>('authenticator')
  const first = registry.seal()
  const second = registry.seal()
  t.throws(() => registry.register('a', 1), {
    ...SEALED,
    message: /authenticator \("a"\) must be registered at module load/
  })
  first()
  first()
  t.throws(() => registry.register('a', 1), SEALED)
  second()
  registry.register('a', 1)
  t.same(registry.names(), ['a'])
})

t.test('a reload starts with the built-ins alone, open although the old application still is', async (t) => {
  const registry = new Registry<number>('voter', [['role', 1]])
  registry.register('own', 2)
  const release = registry.seal()
  registry.renew()
  t.same(registry.names(), ['role'])
  registry.register('own', 3)
  t.equal(registry.get('own'), 3)
  const releaseNew = registry.seal()
  release()
  t.throws(() => registry.register('late', 4), SEALED)
  releaseNew()
  registry.register('late', 4)
})

t.test('a failed reload puts back what was, sealed as it was', async (t) => {
  const voters = new Registry<number>('voter', [['role', 1]])
  const others = new Registry<number>('other')
  voters.register('own', 2)
  others.register('own', 5)
  const release = voters.seal()
  const undo = renewRegistries()
  voters.register('new', 3)
  t.same([voters.names(), others.names()], [['role', 'new'], []])
  undo()
  t.same([voters.names(), others.names()], [['role', 'own'], ['own']])
  t.throws(() => voters.register('new', 3), SEALED)
  release()
})
