import brands from '../../../resources/demo/brands.json' with { type: 'json' }
import platforms from '../../../resources/demo/platforms.json' with { type: 'json' }
import regions from '../../../resources/demo/regions.json' with { type: 'json' }
import reserved from '../../../resources/demo/reserved.json' with { type: 'json' }
import series from '../../../resources/demo/series.json' with { type: 'json' }
import studios from '../../../resources/demo/studios.json' with { type: 'json' }
import texts from '../../../resources/demo/texts.json' with { type: 'json' }
import titles from '../../../resources/demo/titles.json' with { type: 'json' }

/** The demo catalogue's word lists: all invented, except the names of platforms and countries. */
export { brands, platforms, regions, reserved, series, studios, texts, titles }
