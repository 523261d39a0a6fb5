"""The words of the shop's catalogue: categories, species, varieties and descriptions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CategoryTemplate:
    """A category: its share of the shop, its species with their varieties, and remarks that fit its animals."""

    name: str
    description: str
    share: int
    species: dict[str, tuple[str, ...]]
    remarks: tuple[str, ...]


def _species(lines: str) -> dict[str, tuple[str, ...]]:
    """One species a line: `Name: variety | variety`."""
    pairs = [line.strip().partition(":") for line in lines.strip().splitlines()]
    return {name: tuple(variety.strip() for variety in varieties.split("|")) for name, _, varieties in pairs}


KINDS = (
    CategoryTemplate(
        "Fish",
        "Freshwater and marine fish, quarantined for two weeks",
        26,
        _species("""
            Angelfish: marbled | black veil | koi pattern | silver | platinum
            Betta: indigo half-moon | red crowntail | copper plakat | mustard gas | white dumbo ear
            Clownfish: ocellaris | black and white | snowflake | Picasso
            Cory catfish: peppered | bronze | panda | sterbai
            Discus: turquoise | pigeon blood | red melon | snakeskin
            Fancy goldfish: calico ryukin | black moor | red cap oranda | pearlscale
            Gourami: pearl | powder blue dwarf | honey | three-spot
            Guppy: cobra | blue grass | half-black red | endler cross
            Harlequin rasbora: wild type | purple | gold
            Molly: black lyretail | dalmatian | gold dust balloon
            Neon tetra: wild type | green | diamond head
            Oscar: tiger | lemon | albino red
            Platy: sunset | Mickey Mouse | blue coral
            Pleco: bristlenose | zebra | clown | albino bristlenose
            Rainbowfish: boesemani | red | dwarf neon
            Royal gramma: standard | Brazilian
            Swordtail: red velvet | pineapple | koi kohaku
            Zebra danio: longfin | leopard | gold"""),
        ("tank-bred", "two years old", "eats flake", "eats frozen food", "to a mature tank only", "group of six"),
    ),
    CategoryTemplate(
        "Birds",
        "Cage and aviary birds, ringed",
        16,
        _species("""
            African grey: Congo | Timneh | red factor
            Bourke's parakeet: rosa | normal | opaline
            Budgerigar: sky blue | lutino | violet | spangle | recessive pied
            Canary: red factor | Gloster corona | Border fancy | lizard | yellow
            Cockatiel: lutino | pearl | cinnamon | whiteface
            Diamond dove: silver | blue | brilliant
            Eclectus: Solomon Island | vosmaeri
            Gouldian finch: red-headed | black-headed | yellow
            Green-cheeked conure: pineapple | turquoise | yellow-sided
            Lovebird: peach-faced | masked | Fischer's | violet
            Mynah: greater hill | lesser hill
            Parrotlet: Pacific blue | green-rumped | fallow
            Quail: button | Chinese painted | tuxedo
            Society finch: chocolate pied | fawn | crested
            Zebra finch: fawn | chestnut-flanked white | black-cheeked"""),
        (
            "hand-reared",
            "aviary-bred",
            "hen",
            "cock",
            "bonded pair",
            "ringed this spring",
            "steps up",
            "learning to talk",
        ),
    ),
    CategoryTemplate(
        "Reptiles",
        "Captive-bred reptiles with their papers",
        13,
        _species("""
            Ball python: pastel | piebald | banana | clown | normal
            Bearded dragon: juvenile | hypo translucent | red | citrus
            Blue-tongued skink: northern | Irian Jaya | Merauke
            Boa: common | hypo | dwarf
            Chameleon: veiled | panther, Ambilobe | Jackson's
            Corn snake: amelanistic | anerythristic | snow | Okeetee
            Crested gecko: harlequin | dalmatian | flame | extreme pinstripe
            Greek tortoise: golden | standard
            Hermann's tortoise: eastern | western
            King snake: California banded | Mexican black | desert
            Leopard gecko: high yellow | tangerine | mack snow | bell albino
            Milk snake: Nelson's | Honduran | Pueblan
            Red-eared slider: standard | pastel
            Uromastyx: Mali | ocellated
            Water dragon: Chinese | Australian"""),
        ("captive-bred", "feeding well", "yearling", "hatched in May", "well started", "proven female", "with papers"),
    ),
    CategoryTemplate(
        "Small animals",
        "Rodents, rabbits and ferrets, sold in pairs where they need company",
        15,
        _species("""
            Chinchilla: standard grey | beige | ebony | white mosaic
            Degu: agouti | blue | sand
            Dwarf hamster: Campbell's | winter white | Roborovski
            Fancy mouse: agouti | satin | broken black | longhair
            Fancy rat: hooded | dumbo | Siamese | blue
            Ferret: sable | albino | silver | polecat
            Gerbil: nutmeg | burmese | spotted slate
            Guinea pig: Abyssinian | Peruvian | American cream | Texel | skinny
            Hamster: golden | black bear | cinnamon | dove
            Hedgehog: salt and pepper | pinto | cinnamon
            Rabbit: lionhead | Dutch | mini lop | Netherland dwarf | Rex
            Sugar glider: standard grey | leucistic | white face"""),
        (
            "brothers from the same litter",
            "sisters from the same litter",
            "eight weeks old",
            "used to children",
            "neutered",
            "litter-trained",
            "bonded pair",
        ),
    ),
    CategoryTemplate(
        "Dogs",
        "Puppies from known breeders, seen with the mother",
        5,
        _species("""
            Beagle: tricolour | lemon and white
            Border collie: black and white | blue merle
            Cavalier spaniel: Blenheim | ruby | tricolour
            Cocker spaniel: golden | blue roan
            Dachshund: wire-haired | smooth, red | long-haired
            Labrador: yellow | black | chocolate
            Miniature schnauzer: salt and pepper | black
            Poodle: toy, apricot | standard, black | miniature, silver
            Shetland sheepdog: sable | blue merle
            Whippet: fawn | brindle"""),
        (
            "ten weeks old",
            "vaccinated",
            "bitch",
            "dog",
            "house-trained",
            "returned, two years old",
            "from a litter of five",
        ),
    ),
    CategoryTemplate(
        "Cats",
        "Kittens and rehomed adults, chipped",
        5,
        _species("""
            Abyssinian cat: ruddy | sorrel
            Birman: seal point | blue point
            British shorthair: blue | silver tabby
            Burmese: brown | lilac
            House cat: tabby | tortoiseshell | black and white | ginger
            Maine Coon: brown tabby | smoke
            Ragdoll: seal bicolour | blue mitted
            Siamese: seal point | chocolate point"""),
        (
            "twelve weeks old",
            "chipped",
            "indoor only",
            "littermates",
            "neutered",
            "rehomed, five years old",
            "good with dogs",
        ),
    ),
    CategoryTemplate(
        "Amphibians",
        "Frogs, newts and salamanders",
        6,
        _species("""
            African dwarf frog: standard | albino
            Axolotl: leucistic | wild type | golden albino | copper
            Dart frog: azureus | leucomelas | auratus
            Fire-bellied toad: green | bronze
            Pacman frog: green | strawberry | albino
            Salamander: fire | tiger, barred
            Tree frog: White's | red-eyed | grey
            Newt: ribbed | fire-bellied"""),
        ("froglet", "adult", "captive-bred", "eats from tongs", "group of four", "sexed male"),
    ),
    CategoryTemplate(
        "Invertebrates",
        "Shrimps, snails, crabs, spiders and insects",
        7,
        _species("""
            Amano shrimp: standard | large
            Cherry shrimp: fire red | blue dream | yellow neon
            Crystal shrimp: red, grade S | black, grade SS
            Emperor scorpion: adult | young
            Hermit crab: Caribbean | Ecuadorian | strawberry
            Mantis: orchid | ghost | giant Asian
            Mystery snail: ivory | blue | gold
            Nerite snail: zebra | horned | tiger
            Stick insect: Indian | giant prickly
            Tarantula: Chilean rose | curly hair | Mexican red knee
            Vampire crab: purple | orange arm"""),
        ("captive-bred", "sub-adult", "colony of ten", "freshly moulted", "breeding size", "juvenile"),
    ),
    CategoryTemplate(
        "Horses and ponies",
        "On livery with our partners, viewing by appointment",
        2,
        _species("""
            Connemara pony: grey | dun
            Haflinger: chestnut | liver chestnut
            Shetland pony: skewbald | black | chestnut
            Welsh pony: section A, grey | section B, bay"""),
        ("mare, nine years old", "gelding", "broken to ride", "good in traffic", "companion only"),
    ),
    CategoryTemplate(
        "Poultry",
        "Hens, ducks and geese for the garden",
        5,
        _species("""
            Bantam: Pekin, lavender | Sebright, silver | Wyandotte
            Duck: Indian runner | call, white | Cayuga
            Goose: Embden | Toulouse
            Guinea fowl: pearl | lavender
            Hen: Sussex, light | Marans, copper black | Orpington, buff | Leghorn
            Turkey: bronze | Norfolk black"""),
        ("point of lay", "vaccinated", "trio", "day-old", "in full lay", "last year's hatch"),
    ),
)

POND = CategoryTemplate(
    "Pond",
    "Koi, goldfish and what lives with them; collection from April to October",
    6,
    _species("""
        Comet: red | sarasa | yellow
        Ghost koi: silver | gold
        Koi: kohaku | sanke | showa | chagoi | ogon, platinum
        Orfe: golden | blue
        Pond goldfish: red | canary yellow | white
        Ramshorn snail: red | brown
        Shubunkin: London | Bristol
        Sterlet: standard | albino
        Tench: golden | green"""),
    ("15 cm", "25 cm", "40 cm", "pond-reared", "overwintered outside", "group of five", "this year's fry"),
)

EVERY_KIND = (*KINDS, POND)

ORIGINS = (
    "from Hollin Farm",
    "from the Marsh Lane breeder",
    "from Ashdown",
    "from our own breeding",
    "spring stock",
    "summer stock",
    "autumn stock",
    "reserved for viewing",
    "second choice",
    "show quality",
    "returned by the first owner",
    "first-time keeper friendly",
    "for the experienced keeper",
    "with set-up",
    "without set-up",
    "can travel",
    "collection only",
    "new this week",
)

FOREIGN = (
    ("Pond", "Nishikigoi, 錦鯉 紅白"),
    ("Cats", "Turkish angora, قط أنقرة"),
    ("Birds", "Zebra finch, chatty 🐦"),
    ("Reptiles", "Tortoise, χελώνα της Αττικής"),
    ("Dogs", "Shiba, 柴犬 赤"),
    ("Small animals", "Sugar glider, wide awake 🌙"),
    ("Dogs", "Samoyed, самоед белый"),
    ("Cats", "Si Sawat, โคราช"),
    ("Birds", "ببغاء رمادي"),
    ("Fish", "Ryukin, 琉金"),
    ("Fish", "Ψάρι, χρυσόψαρο"),
    ("Small animals", "Siberian hamster, хомячок 🐹"),
    ("Birds", "文鳥、桜"),
    ("Dogs", "Saluki, سلوقي"),
    ("Birds", "Szczygieł, śpiewający 🎵"),
    ("Fish", "高砂めだか"),
    ("Horses and ponies", "Þór, skjóttur"),
    ("Poultry", "Пушкинская курица"),
)
"""Names outside ASCII, with the category of each; none sorts before N."""
