/** A config is copied and frozen; what is wrong with it is left for the check to tell. */
import t from 'tap'
import { defineConfig, type SvcConfig } from '../../src/config/define-config.ts'

t.test('frozen, with its list, and independent of what was given', async (t) => {
  const plugin = async (): Promise<void> => {}
  const modules = [plugin]
  const config = defineConfig({ mode: 'test', modules })
  modules.push(plugin)
  t.equal(config.modules.length, 1)
  t.ok(Object.isFrozen(config) && Object.isFrozen(config.modules))
})

t.test('a list that is missing or wrong stays so', async (t) => {
  t.notOk('modules' in defineConfig({} as SvcConfig))
  t.equal(defineConfig({ modules: 'x' } as unknown as SvcConfig).modules, 'x')
})
