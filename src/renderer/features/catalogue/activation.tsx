import { Select } from '@mantine/core'
import { useState } from 'react'
import type { ProductDetail } from '../../../contract/catalogue.ts'
import { countries, countryName } from '../../lib/labels/countries.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import styles from './catalogue.module.css'

/**
 * Whether a product can be activated in a country, as far as its data shows. Unknown stays unknown.
 */
export function Activation({
  product,
  country: fromFilter,
}: {
  product: ProductDetail
  country: string | null
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  const country = chosen ?? fromFilter
  const { excludedCountries: excluded } = product
  return (
    <>
      <Select
        aria-label="Customer’s country"
        placeholder="Choose a country"
        searchable
        data={[...countries]}
        value={country}
        onChange={setChosen}
        mb={8}
      />
      {country === null ? null : excluded === null ? (
        <Notice tone="info" title={`Unknown for ${countryName(country)}.`}>
          Only the region is known: {product.region}.
        </Notice>
      ) : excluded.includes(country) ? (
        <Notice tone="bad" title={`Can’t be activated in ${countryName(country)}.`}>
          It is one of the {excluded.length} excluded countries.
        </Notice>
      ) : (
        <Notice tone="ok" title={`Can be activated in ${countryName(country)}.`}>
          {excluded.length === 0
            ? 'No country is excluded.'
            : `Not among the ${excluded.length} excluded countries.`}
        </Notice>
      )}
      {excluded === null || excluded.length === 0 ? null : (
        <div className={styles.excluded}>
          <span>Not in</span>
          {excluded.slice(0, 12).map((code) => (
            <abbr key={code} title={countryName(code)}>
              {code}
            </abbr>
          ))}
          {excluded.length > 12 ? <span>and {excluded.length - 12} more</span> : null}
          {product.allowedCountryCount === null ? null : (
            <span className={styles.allowed}>allowed in {product.allowedCountryCount}</span>
          )}
        </div>
      )}
    </>
  )
}
