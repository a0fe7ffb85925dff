/** How guards and marks of class, base and method add up. */

import { describeRequirement } from 'svc-kernel/plugin'
import t from 'tap'
import { compileClass } from '../../src/compile/compile-class.ts'
import {
  Anonymous,
  BypassFirewall,
  Cron,
  controller,
  Factor,
  Fresh,
  Get,
  IsGranted,
  RequireScope
} from '../../src/index.ts'

/** `METHOD path: requirement` for each route, or the codes of the problems. */
function accessOf(Class: new () => object): string[] {
  const { endpoints, problems } = compileClass(Class)
  if (problems.length > 0) return problems.map(({ code }) => code)
  return endpoints.map(({ path, access: { requirement, anonymous, bypassFirewall } }) => {
    const asks = requirement === null ? 'nothing' : describeRequirement(requirement)
    return `${path}: ${asks}${anonymous ? ', anonymous' : ''}${bypassFirewall ? ', bypass' : ''}`
  })
}

t.test('class and method are one AND, whatever the order; the same clause counts once', async (t) => {
  @controller()
  @IsGranted('ROLE_USER')
  class Hello {
    @Get('/above') @IsGranted(['A', 'B']) @RequireScope('x:read') above(): void {}

    @IsGranted(['A', 'B']) @RequireScope('x:read') @Get('/below') below(): void {}

    @Get('/twice') @IsGranted(['B', 'A']) @IsGranted(['A', 'B']) @IsGranted('ROLE_USER') twice(): void {}

    @Get('/subject/:id') @IsGranted('edit', { subject: 'id' }) @IsGranted('edit') subject(): void {}
  }
  t.strictSame(accessOf(Hello), [
    '/above: ROLE_USER & (A | B) & x:read',
    '/below: ROLE_USER & (A | B) & x:read',
    '/twice: ROLE_USER & (B | A)',
    '/subject/:id: ROLE_USER & edit(id) & edit'
  ])
})

t.test('@Anonymous on a method overrides the class; on a class it yields to a method guard', async (t) => {
  @controller()
  @IsGranted('ROLE_USER')
  class Guarded {
    @Get('/open') @Anonymous() open(): void {}

    @Get('/shut') shut(): void {}
  }
  t.strictSame(accessOf(Guarded), ['/open: nothing, anonymous', '/shut: ROLE_USER'])

  @controller()
  @Anonymous()
  class Open {
    @Get('/open') open(): void {}

    @Get('/shut') @IsGranted('ROLE_USER') shut(): void {}
  }
  t.strictSame(accessOf(Open), ['/open: nothing, anonymous', '/shut: ROLE_USER'])
})

t.test('@BypassFirewall stands alone, or beside @Anonymous', async (t) => {
  @controller()
  @IsGranted('ROLE_USER')
  class Hooks {
    @Get('/a') @BypassFirewall @Anonymous() a(): void {}
  }
  t.strictSame(accessOf(Hooks), ['/a: nothing, anonymous, bypass'])
})

t.test('contradictions', async (t) => {
  @controller()
  class OnMethod {
    @Get('/a') @Anonymous() @IsGranted('A') a(): void {}

    @Get('/b') @Anonymous() @RequireScope('x:read') b(): void {}

    @Get('/c') @BypassFirewall() @IsGranted('A') c(): void {}
  }
  t.strictSame(accessOf(OnMethod), ['SVC_GUARD_CONFLICT', 'SVC_GUARD_CONFLICT', 'SVC_GUARD_CONFLICT'])

  @controller()
  @Anonymous()
  @IsGranted('A')
  class OnClass {
    @Get('/a') a(): void {}
  }
  t.strictSame(accessOf(OnClass), ['SVC_GUARD_CONFLICT'])

  @controller()
  @IsGranted('A')
  class Bypassing {
    @Get('/a') @BypassFirewall a(): void {}
  }
  t.strictSame(accessOf(Bypassing), ['SVC_GUARD_CONFLICT'])
})

t.test('a subclass only adds', async (t) => {
  @IsGranted('ROLE_BASE')
  class Base {
    @Get('/list') @IsGranted('list') list(): void {}

    @Get('/open') @Anonymous() open(): void {}

    @Get('/health') health(): void {}
  }

  @controller('/plain')
  class Plain extends Base {
    override list(): void {}
  }
  t.strictSame(accessOf(Plain), [
    '/plain/list: ROLE_BASE & list',
    '/plain/open: nothing, anonymous',
    '/plain/health: ROLE_BASE'
  ])

  @controller('/more')
  @IsGranted('ROLE_MORE')
  class More extends Base {
    @Get('/all') @IsGranted('all') override list(): void {}

    @IsGranted('own') override open(): void {}
  }
  t.strictSame(accessOf(More), [
    '/more/all: ROLE_BASE & ROLE_MORE & list & all',
    '/more/open: ROLE_BASE & ROLE_MORE & own',
    '/more/health: ROLE_BASE & ROLE_MORE'
  ])

  @controller('/less')
  class Less extends Base {
    @Anonymous() override list(): void {}
  }
  t.strictSame(accessOf(Less), ['SVC_GUARD_CONFLICT'])

  @controller('/public')
  @Anonymous()
  class Public extends Base {}
  t.strictSame(accessOf(Public), ['SVC_GUARD_CONFLICT'])
})

t.test('guards on the proof add up with the others, of class and method', async (t) => {
  @controller('/c')
  @Fresh(600)
  class Vault {
    @Get('/a') @Factor() @IsGranted('ROLE_A') a(): void {}
    @Get('/b') @Fresh(60, { machines: true }) @Factor('passkey') b(): void {}
    @Get('/c') @Fresh(600) c(): void {}
    @Get('/d') @Anonymous() d(): void {}
  }
  const { endpoints, problems } = compileClass(Vault)
  t.strictSame(problems, [])
  const guards = endpoints.map(({ access }) => access.requirement && describeRequirement(access.requirement))
  t.strictSame(guards, [
    'FRESH(600) & FACTOR(any) & ROLE_A',
    'FRESH(600) & FRESH(60,machines) & FACTOR(passkey)',
    'FRESH(600)',
    null
  ])
})

t.test('a guard on the proof that asks for nothing is one problem, with what there is', async (t) => {
  const wrong = [Fresh(0), Fresh(1.5), Fresh('300)' as never), Factor('sms' as never), Fresh(31_536_001)]
  for (const decorate of wrong) {
    class Vault {
      a(): void {}
    }
    controller('/c')(Vault)
    Get('/a')(Vault.prototype, 'a', Object.getOwnPropertyDescriptor(Vault.prototype, 'a'))
    decorate(Vault.prototype, 'a', Object.getOwnPropertyDescriptor(Vault.prototype, 'a'))
    t.match(compileClass(Vault).problems, [{ code: 'SVC_GUARD_PROOF', message: /^Vault\.a has @F/, fix: String }])
  }
})

t.test('no schedule can prove anything, whoever it runs as', async (t) => {
  @controller('/c')
  class Vault {
    @Cron('0 6 * * *', { zone: 'UTC', as: 'bot' }) @Fresh(60) a(): void {}
    @Cron('0 6 * * *', { zone: 'UTC', as: 'bot' }) @IsGranted('ROLE_A') b(): void {}
  }
  t.match(compileClass(Vault).problems, [{ code: 'SVC_JOB_METHOD', message: /^Vault\.a has @Cron.*@Fresh\(60\)/ }])
})
