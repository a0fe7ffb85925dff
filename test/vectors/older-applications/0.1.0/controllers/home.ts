/** The front door: outside every zone, so it needs no proof of identity. */
import { controller, Get } from 'svc-decorators'

@controller()
export class HomeController {
  @Get('/')
  home() {
    return { message: 'It works. Next: GET /api/hello' }
  }
}
