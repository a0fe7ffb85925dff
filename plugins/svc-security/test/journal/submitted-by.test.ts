/** The name beside a refusal survives whatever was thrown. */
import t from 'tap'
import { submittedBy, submitterOf } from '../../src/journal/readable-error.ts'

t.test('an error carries the name and stays what it is', async (t) => {
  const error = new RangeError('no')
  t.equal(submittedBy(error, 'alice'), error)
  t.equal(submitterOf(error), 'alice')
  t.equal(error.message, 'no')
})

t.test('what cannot carry a name passes as it is', async (t) => {
  for (const thrown of [undefined, null, 'text', 7, { plain: true }, Object.freeze(new Error('frozen'))]) {
    t.equal(submittedBy(thrown, 'alice'), thrown)
    t.equal(submitterOf(thrown), null)
  }
})

t.test('what cannot be read names nobody', async (t) => {
  const hostile = Object.defineProperty(new Error('x'), 'actor', {
    get() {
      throw new Error('no')
    }
  })
  t.equal(submitterOf(hostile), null)
  t.equal(submitterOf(Object.assign(new Error('x'), { actor: { toString: () => 'alice' } })), null)
})
