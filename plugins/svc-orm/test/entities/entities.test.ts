/**
 * Declarations of the process: where they were made, until when, and for which generation.
 * In a process of its own: what it declares belongs to the process.
 */
import { renewRegistries } from 'svc-kernel/plugin'
import t from 'tap'
import { declaredEntities, entities, sealDeclarations } from '../../src/entities/entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

class Model {}

t.beforeEach(() => {
  renewRegistries()
})

t.test('a decorator declares when it is applied, with its place', async (t) => {
  const decorate = entities([Note, Model], { connector: 'main' })
  t.same(declaredEntities(), [])
  decorate(class {})
  const [note, model] = declaredEntities()
  t.equal(note?.source, Note)
  t.equal(model?.source, Model)
  t.match(note, { connector: 'main', place: /entities\.test\.(?:ts|js):\d+$/ })
})

t.test('what is not there yet is declared all the same, for the boot to tell', async (t) => {
  entities([undefined as never])(class {})
  t.match(declaredEntities(), [{ source: undefined, place: String }])
})

t.test('the same name may be declared again: only connectors make it one', async (t) => {
  entities([Note])(class {})
  entities([Note])(class {})
  t.same(
    declaredEntities().map(({ connector }) => connector),
    [null, null]
  )
})

t.test('closed while an application is open, and renewed by a reload', async (t) => {
  entities([Note])(class {})
  const release = sealDeclarations()
  t.throws(() => entities([Note])(class {}), { code: 'SVC_KERNEL_REGISTRY_SEALED' })
  const undo = renewRegistries()
  t.same(declaredEntities(), [])
  undo()
  t.equal(declaredEntities().length, 1)
  release()
  entities([Note])(class {})
  t.equal(declaredEntities().length, 2)
})
