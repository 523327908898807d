import type { LocalizedText } from './catalog.js';

const TABLE_18 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 18';

function ice(rateCode: string, basis: 'value' | 'unit' | 'mixed', es: string, en: string) {
  const description: LocalizedText = { es: `ICE ${es}`, en: `ICE ${en}` };
  return { taxCode: '3', rateCode, rate: null, basis, description, source: TABLE_18 } as const;
}

/** A code which customs collects. */
function imported(rateCode: string, basis: 'value' | 'unit' | 'mixed', es: string, en: string) {
  return ice(rateCode, basis, `${es} (importación)`, `${en} (import)`);
}

/**
 * Codes of ICE. The table prints the rates of 2023 and refers to the law in force, so this file has no rates: the caller
 * gives the rate. Import codes, which customs collects, are marked.
 */
export const ICE_RATES = [
  ice('3011', 'unit', 'cigarrillos rubios', 'light cigarettes'),
  ice('3021', 'unit', 'cigarrillos negros', 'dark cigarettes'),
  ice('3023', 'value', 'productos del tabaco, excepto cigarrillos', 'tobacco products other than cigarettes'),
  ice('3031', 'mixed', 'bebidas alcohólicas', 'alcoholic drinks'),
  ice('3033', 'mixed', 'alcohol', 'alcohol'),
  ice('3041', 'mixed', 'cerveza industrial', 'industrial beer'),
  ice('3043', 'mixed', 'cerveza artesanal', 'craft beer'),
  ice('3053', 'unit', 'gaseosas con alto contenido de azúcar', 'soft drinks with much sugar'),
  ice('3054', 'value', 'gaseosas con bajo contenido de azúcar', 'soft drinks with little sugar'),
  ice('3073', 'value', 'vehículos de hasta USD 20.000', 'vehicles up to USD 20,000'),
  ice('3075', 'value', 'vehículos de USD 30.000 a 40.000', 'vehicles from USD 30,000 to 40,000'),
  ice('3077', 'value', 'vehículos de USD 40.000 a 50.000', 'vehicles from USD 40,000 to 50,000'),
  ice('3078', 'value', 'vehículos de USD 50.000 a 60.000', 'vehicles from USD 50,000 to 60,000'),
  ice('3079', 'value', 'vehículos de USD 60.000 a 70.000', 'vehicles from USD 60,000 to 70,000'),
  ice('3080', 'value', 'vehículos de más de USD 70.000', 'vehicles above USD 70,000'),
  ice('3081', 'value', 'aviones, tricares, yates y barcos de recreo', 'aircraft, tricars, yachts and pleasure boats'),
  ice('3092', 'value', 'televisión pagada', 'pay television'),
  ice('3093', 'value', 'telefonía de sociedades', 'telephone services to companies'),
  ice('3101', 'value', 'bebidas energizantes', 'energy drinks'),
  ice('3111', 'unit', 'bebidas no alcohólicas', 'non-alcoholic drinks'),
  ice('3610', 'value', 'perfumes y aguas de tocador', 'perfumes and toilet waters'),
  ice('3620', 'value', 'videojuegos', 'video games'),
  ice('3630', 'value', 'armas de fuego, armas deportivas y municiones', 'firearms, sporting arms and ammunition'),
  ice('3640', 'value', 'focos incandescentes', 'incandescent lamps'),
  ice('3660', 'value', 'cuotas, membresías, afiliaciones y acciones', 'club fees, memberships and shares'),
  ice('3671', 'value', 'calefones y calentadores de agua a gas', 'gas water heaters'),
  ice('3680', 'unit', 'fundas plásticas', 'plastic bags'),
  ice('3681', 'value', 'telefonía móvil de personas naturales', 'mobile telephone services to persons'),
  ice('3682', 'value', 'tabaco calentado y líquidos con nicotina', 'heated tobacco and nicotine liquids'),
  ice(
    '3684',
    'value',
    'camionetas y vehículos de rescate de hasta USD 30.000',
    'pick-ups and rescue vehicles up to USD 30,000',
  ),
  ice('3686', 'value', 'vehículos de USD 20.000 a 30.000', 'vehicles from USD 20,000 to 30,000'),
  ice('3688', 'value', 'vehículos híbridos de hasta USD 35.000', 'hybrid vehicles up to USD 35,000'),
  ice('3691', 'value', 'vehículos híbridos de USD 35.000 a 40.000', 'hybrid vehicles from USD 35,000 to 40,000'),
  ice('3692', 'value', 'vehículos híbridos de USD 40.000 a 50.000', 'hybrid vehicles from USD 40,000 to 50,000'),
  ice('3695', 'value', 'vehículos híbridos de USD 50.000 a 60.000', 'hybrid vehicles from USD 50,000 to 60,000'),
  ice('3696', 'value', 'vehículos híbridos de USD 60.000 a 70.000', 'hybrid vehicles from USD 60,000 to 70,000'),
  ice('3698', 'value', 'vehículos híbridos de más de USD 70.000', 'hybrid vehicles above USD 70,000'),
  imported('3532', 'mixed', 'alcohol', 'alcohol'),
  imported('3533', 'mixed', 'bebidas alcohólicas', 'alcoholic drinks'),
  imported('3541', 'mixed', 'cerveza industrial', 'industrial beer'),
  imported('3542', 'unit', 'cigarrillos rubios', 'light cigarettes'),
  imported('3543', 'unit', 'cigarrillos negros', 'dark cigarettes'),
  imported('3544', 'value', 'productos del tabaco, excepto cigarrillos', 'other tobacco products'),
  imported('3545', 'mixed', 'cerveza artesanal', 'craft beer'),
  imported('3552', 'unit', 'gaseosas con alto contenido de azúcar', 'soft drinks with much sugar'),
  imported('3553', 'value', 'gaseosas con bajo contenido de azúcar', 'soft drinks with little sugar'),
  imported('3581', 'value', 'aeronaves', 'aircraft'),
  imported('3582', 'value', 'aviones, avionetas y helicópteros', 'aeroplanes and helicopters'),
  imported('3601', 'value', 'bebidas energizantes', 'energy drinks'),
  imported('3602', 'unit', 'bebidas no alcohólicas', 'non-alcoholic drinks'),
  imported('3683', 'value', 'tabaco calentado y líquidos con nicotina', 'heated tobacco and nicotine liquids'),
  imported('3685', 'value', 'camionetas y vehículos de rescate', 'pick-ups and rescue vehicles'),
  imported('3687', 'value', 'vehículos de USD 20.000 a 30.000', 'vehicles from USD 20,000 to 30,000'),
  imported('3689', 'value', 'vehículos híbridos de hasta USD 35.000', 'hybrid vehicles up to USD 35,000'),
  imported('3690', 'value', 'vehículos híbridos de USD 35.000 a 40.000', 'hybrid vehicles from USD 35,000 to 40,000'),
  imported('3693', 'value', 'vehículos híbridos de USD 40.000 a 50.000', 'hybrid vehicles from USD 40,000 to 50,000'),
  imported('3694', 'value', 'vehículos híbridos de USD 50.000 a 60.000', 'hybrid vehicles from USD 50,000 to 60,000'),
  imported('3697', 'value', 'vehículos híbridos de USD 60.000 a 70.000', 'hybrid vehicles from USD 60,000 to 70,000'),
  imported('3699', 'value', 'vehículos híbridos de más de USD 70.000', 'hybrid vehicles above USD 70,000'),
  imported('3710', 'value', 'perfumes y aguas de tocador', 'perfumes and toilet waters'),
  imported('3720', 'value', 'videojuegos', 'video games'),
  imported('3730', 'value', 'armas de fuego, armas deportivas y municiones', 'firearms and ammunition'),
  imported('3740', 'value', 'focos incandescentes', 'incandescent lamps'),
  imported('3771', 'value', 'calefones y calentadores de agua a gas', 'gas water heaters'),
  imported('3871', 'value', 'vehículos de hasta USD 20.000', 'vehicles up to USD 20,000'),
  imported('3873', 'value', 'vehículos de USD 30.000 a 40.000', 'vehicles from USD 30,000 to 40,000'),
  imported('3874', 'value', 'vehículos de USD 40.000 a 50.000', 'vehicles from USD 40,000 to 50,000'),
  imported('3875', 'value', 'vehículos de USD 50.000 a 60.000', 'vehicles from USD 50,000 to 60,000'),
  imported('3876', 'value', 'vehículos de USD 60.000 a 70.000', 'vehicles from USD 60,000 to 70,000'),
  imported('3877', 'value', 'vehículos de más de USD 70.000', 'vehicles above USD 70,000'),
  imported('3878', 'value', 'aviones, tricares, yates y barcos de recreo', 'aircraft, yachts and boats'),
];
